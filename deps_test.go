package mutantfuzz_test

// Dependencies that packages under construction use; go mod tidy takes over.
import (
	_ "github.com/agnivade/levenshtein"
	_ "github.com/bluekeyes/go-gitdiff/gitdiff"
	_ "github.com/getkin/kin-openapi/openapi3"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/google/go-github/v60/github"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/schollz/progressbar/v3"
	_ "github.com/sethvargo/go-githubactions"
	_ "github.com/spf13/cobra"
	_ "golang.org/x/mod/modfile"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/term"
	_ "golang.org/x/tools/go/packages"
)

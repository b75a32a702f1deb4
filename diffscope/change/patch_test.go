package change

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fromOps makes a base, a head and their diff. Each byte of ops stands for a line that is kept, deleted or added, with
// one of five texts. A byte above 240 ends the fragment, and stands for a line that is kept outside of any fragment.
func fromOps(ops []byte) (base, head, diff string) {
	var b, h, body, out strings.Builder
	oldLine, newLine, oldCount, newCount := 1, 1, 0, 0
	changed := false // in this fragment
	flush := func() {
		if changed { // diffs have no fragments without a change
			fmt.Fprintf(&out, "@@ -%s +%s @@\n%s", span(oldLine, oldCount), span(newLine, newCount), body.String())
		}
		oldLine, newLine, oldCount, newCount = oldLine+oldCount, newLine+newCount, 0, 0
		body.Reset()
		changed = false
	}
	for _, op := range ops {
		line := fmt.Sprintf("line %d\n", op/3%5)
		switch {
		case op > 240:
			flush()
			b.WriteString(line)
			h.WriteString(line)
			oldLine++
			newLine++
		case op%3 == 0:
			fmt.Fprintf(&body, " %s", line)
			b.WriteString(line)
			h.WriteString(line)
			oldCount++
			newCount++
		case op%3 == 1:
			fmt.Fprintf(&body, "-%s", line)
			b.WriteString(line)
			oldCount++
			changed = true
		default:
			fmt.Fprintf(&body, "+%s", line)
			h.WriteString(line)
			newCount++
			changed = true
		}
	}
	flush()
	if out.Len() == 0 {
		return "", "", ""
	}
	return b.String(), h.String(), "--- a/x.go\n+++ b/x.go\n" + out.String()
}

// span returns a range of lines as in a fragment's header. A range of no lines starts at the line before.
func span(line, count int) string {
	if count == 0 {
		line--
	}
	return fmt.Sprintf("%d,%d", line, count)
}

// FuzzReverse checks that applying a diff backwards gives the base.
func FuzzReverse(f *testing.F) {
	f.Add([]byte{0, 1, 2, 0})
	f.Add([]byte{2, 2, 1, 250, 1, 0, 2})
	f.Add([]byte{1, 250, 250, 2, 2, 2, 0, 1})
	f.Fuzz(func(t *testing.T, ops []byte) {
		base, head, diff := fromOps(ops)
		if diff == "" {
			t.Skip("nothing differs")
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte(head), 0o644); err != nil {
			t.Fatal(err)
		}
		p := patch{tree: dir, dir: dir, note: func(string, string) {}}
		files, err := p.files([]byte(diff))
		if err != nil || len(files) != 1 {
			t.Fatalf("%v\n%s", err, diff)
		}
		if got := string(files[0].Base); got != base {
			t.Fatalf("base: got %q, want %q\n%s", got, base, diff)
		}
	})
}

// smallDiff leads to the file that FuzzParsePatch writes.
const smallDiff = `--- a/a.go
+++ b/a.go
@@ -3,4 +3,4 @@ package m
 func A() int {
-	// one
-	return 1
+	// two
+	return 2
 }
`

// FuzzParsePatch checks that no diff makes the parser panic, and that a diff which it accepts agrees with the tree.
func FuzzParsePatch(f *testing.F) {
	f.Add([]byte(smallDiff))
	f.Add([]byte("diff --git a.go a.go\nindex 1..2 100644\n" + strings.NewReplacer("a/a.go", "a.go", "b/a.go", "a.go").Replace(smallDiff)))
	f.Add([]byte("diff --git \"a/b.go\" a.go\nsimilarity index 90%\nrename from a/b.go\nrename to a.go\n"))
	f.Add([]byte("diff --git a/a.go b/a.go\ndeleted file mode 100644\n--- a/a.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-package m\n"))
	f.Fuzz(func(t *testing.T, diff []byte) {
		dir := t.TempDir()
		head := []byte("package m\n\nfunc A() int {\n\t// two\n\treturn 2\n}\n")
		if err := os.WriteFile(filepath.Join(dir, "a.go"), head, 0o644); err != nil {
			t.Fatal(err)
		}
		p := patch{tree: dir, dir: dir, note: func(string, string) {}}
		diff, err := normalise(diff)
		if err != nil {
			return
		}
		files, err := p.files(diff)
		if err != nil {
			return
		}
		for _, f := range files {
			if f.Name != "" && !bytes.Equal(f.Head, head) {
				t.Fatalf("head is %q", f.Head)
			}
		}
	})
}

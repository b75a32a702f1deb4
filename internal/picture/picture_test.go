package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "draw the picture of the README anew")

const (
	reviewFile  = "../../docs/review.md"
	pictureFile = "../../docs/review.svg"
)

func TestThePictureInTheDocumentationIsOfTheReviewThere(t *testing.T) {
	var got bytes.Buffer
	if err := run([]string{reviewFile}, &got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(pictureFile, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(pictureFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s is of another review; go generate ./internal/picture draws it anew", pictureFile)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil || !strings.Contains(string(readme), "](docs/review.svg)") && !strings.Contains(string(readme), `src="docs/review.svg"`) {
		t.Errorf("the README does not show it: %v", err)
	}
}

// every is a review with every element that reviews have.
const every = "<!-- mutantfuzz -->\n\n### mutantfuzz: `F` can be & < altered\n\n**1. Gap**: this · `f.go:1`\n\n```diff\n-\tif a < b {\n+\tif a {\n```\n\n" +
	"| line | edit |\n|---|---|\n| 5 | leave out <code>size &#60;= 0</code> |\n| 6 | – |\n\n" +
	"<details><summary>A test, for <code>f_test.go</code></summary>\n\nhidden\n\n<details><summary>hidden, too</summary>\n\nhidden\n\n</details>\n\n</details>\n\n" +
	"- ~~`f.go:1`~~ now noticed\n\n<sub>1 function · `x`</sub>\n"

func TestAPictureShowsWhatIsNotFolded(t *testing.T) {
	svg, err := draw([]byte(strings.Replace(every, "- ~~`f.go:1`~~ now noticed\n\n", "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	got := texts(t, svg)
	for _, want := range []string{"github-actions", "mutantfuzz:", "F", "altered", "1.", "Gap", "-    if a < b {", "+    if a {", "leave", "size <= 0", "6", "–", "test,", "f_test.go", "function"} {
		if !strings.Contains(got, "\n"+want+"\n") {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "hidden") {
		t.Errorf("something folded in\n%s", got)
	}
}

func TestWhatCannotBeDrawnIsAnError(t *testing.T) {
	for review, want := range map[string]string{
		every:                        "List",
		"<img src=x>\n\n":            "HTML that no review has",
		"":                           "nothing to draw",
		"    indented\n":             "CodeBlock",
		"![picture](x.png)\n":        "",
		"<details>\n\nx\n</details>": "HTML that no review has",
	} {
		if _, err := draw([]byte(review)); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", review, err, want)
		}
	}
}

func TestTextStaysWithinThePicture(t *testing.T) {
	long := strings.Repeat("word ", 100) + strings.Repeat("w", 500) + " `" + strings.Repeat("c", 500) + "` `" + strings.Repeat("code ", 100) + "`"
	svg, err := draw([]byte("### " + long + "\n\n" + long + "\n\n| a | b |\n|---|---|\n| " + long + " | " + long + " |\n"))
	if err != nil {
		t.Fatal(err)
	}
	place := regexp.MustCompile(`<text class="." x="([\d.]+)".* textLength="([\d.]+)"`)
	all := place.FindAllSubmatch(svg, -1)
	if len(all) < 300 {
		t.Fatalf("%d texts", len(all))
	}
	for _, m := range all {
		x, _ := strconv.ParseFloat(string(m[1]), 64)
		w, _ := strconv.ParseFloat(string(m[2]), 64)
		if x < padding || x+w > width-padding+1 {
			t.Errorf("a text from %g to %g: %s", x, x+w, m[0])
		}
	}
	if n := strings.Count(texts(t, svg), "w"); n < 4*600 {
		t.Errorf("%d letters w of 2400 are drawn", n)
	}
}

func TestOneReviewIsNamed(t *testing.T) {
	for _, args := range [][]string{nil, {"a", "b"}, {"is-not-there"}} {
		if err := run(args, io.Discard); err == nil {
			t.Errorf("no error with %q", args)
		}
	}
}

// texts returns the texts of a picture, each on a line of its own. It checks that the picture is XML.
func texts(t *testing.T, svg []byte) string {
	t.Helper()
	var b strings.Builder
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := token.(xml.CharData); ok {
			fmt.Fprintf(&b, "\n%s\n", data)
		}
	}
}

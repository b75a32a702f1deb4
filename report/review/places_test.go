package review

import (
	"os"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report"
)

func TestPatchesAreReadByHunk(t *testing.T) {
	tests := []struct {
		name, patch string
		want        []hunk
	}{
		{"two hunks", "@@ -1,2 +1,3 @@ func f()\n a\n+b\n c\n@@ -8,2 +9,1 @@\n-x\n y", []hunk{{1, []string{"a", "b", "c"}}, {9, []string{"y"}}}},
		{"a new file", "@@ -0,0 +1,2 @@\n+a\n+b", []hunk{{1, []string{"a", "b"}}}},
		{"one line", "@@ -1 +1 @@\n-a\n+b", []hunk{{1, []string{"b"}}}},
		{"no line break at the end", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file", []hunk{{1, []string{"b"}}}},
		{"lines removed only", "@@ -3,2 +2,0 @@\n-a\n-b", []hunk{{2, nil}}},
		{"lines that look like headers", "@@ -1,3 +1,3 @@\n--- a/x\n+++ b/y\n @@ -1 +1 @@\n diff --git a/x b/x", []hunk{{1, []string{"++ b/y", "@@ -1 +1 @@", "diff --git a/x b/x"}}}},
		{"carriage returns", "@@ -1 +1 @@\n-a\r\n+b\r", []hunk{{1, []string{"b\r"}}}},
		{"an empty line", "@@ -1,2 +1,3 @@\n a\n+\n b", []hunk{{1, []string{"a", "", "b"}}}},
		{"nothing", "", nil},
		{"cut short", "@@ -1,9 +1,9 @@\n a\n+b", nil},
		{"no patch", "Binary files differ", nil},
		{"counts beyond all bounds", "@@ -1,1 +99999999999999999999,1 @@\n a", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := gocmp.Diff(tt.want, parsePatch(tt.patch).hunks, gocmp.AllowUnexported(hunk{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRangesAreWithinOneHunk(t *testing.T) {
	g := newFakeGitHub(t)
	g.useDiff(t)
	f := parsePatch(g.lines.files[1].patch) // has hunks of lines 38 to 44, 54 to 60, 63 to 71
	tests := []struct {
		first, last int
		ok          bool
	}{
		{38, 44, true}, {41, 41, true}, {63, 71, true}, {37, 38, false}, {44, 45, false}, {45, 45, false}, {54, 63, false}, {57, 66, false},
		{42, 41, false}, {0, 0, false}, {-1, 38, false}, {38, 1 << 62, false}, {1 << 62, 1 << 62, false},
	}
	for _, tt := range tests {
		if lines, ok := f.within(tt.first, tt.last); ok != tt.ok || ok && len(lines) != tt.last-tt.first+1 {
			t.Errorf("lines %d to %d: %q, %v; want %v", tt.first, tt.last, lines, ok, tt.ok)
		}
	}
	if lines, _ := f.within(57, 58); strings.Join(lines, "\n") != "\tp.skipSpace()\n\treturn p.digits()" {
		t.Errorf("lines 57 and 58 are %q", lines)
	}
}

func TestPlacesAreTheBestThatTheDiffHas(t *testing.T) {
	g := newFakeGitHub(t)
	g.useDiff(t)
	d := diff{}
	for _, f := range g.lines.files[1:] {
		d[f.name] = parsePatch(f.patch)
	}
	file := place{file: "parse.go"}
	undo := &report.Mend{Line: 66, Old: []string{"\tif ok && depth > 0 {"}, New: []string{"\tif ok {"}}
	tests := []struct {
		name string
		c    report.Comment
		want []place
	}{
		{"a line", report.Comment{File: "parse.go", Line: 41, EndLine: 41, Edit: 41}, []place{{"parse.go", 41, 41, false}, file}},
		{"a range", report.Comment{File: "parse.go", Line: 66, EndLine: 70, Edit: 66}, []place{{"parse.go", 66, 70, false}, file}},
		{"a range of two hunks", report.Comment{File: "parse.go", Line: 57, EndLine: 66, Edit: 66}, []place{{"parse.go", 66, 66, false}, file}},
		{"a range whose edit is outside", report.Comment{File: "parse.go", Line: 57, EndLine: 62, Edit: 61}, []place{file}},
		{"a line outside", report.Comment{File: "parse.go", Line: 1, EndLine: 1, Edit: 1}, []place{file}},
		{"another file", report.Comment{File: "other.go", Line: 41, EndLine: 41, Edit: 41}, nil},
		{"a suggestion", report.Comment{File: "parse.go", Line: 66, EndLine: 67, Edit: 66, Mend: undo}, []place{{"parse.go", 66, 66, true}, file}},
		{"a suggestion with other lines", report.Comment{File: "parse.go", Line: 66, EndLine: 67, Edit: 66,
			Mend: &report.Mend{Line: 67, Old: undo.Old, New: undo.New}}, []place{{"parse.go", 66, 67, false}, file}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := gocmp.Diff(tt.want, d.places(&tt.c), gocmp.AllowUnexported(place{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzPatchesAreReadInBounds checks that within returns one text for each line that it accepts.
func FuzzPatchesAreReadInBounds(f *testing.F) {
	data, err := os.ReadFile("testdata/nest.diff")
	if err != nil {
		f.Fatal(err)
	}
	for part := range strings.SplitSeq(string(data), "\n@@") {
		f.Add("@@"+part, 41, 42)
	}
	f.Add("@@ -0,0 +0,0 @@\n", 0, 0)
	f.Fuzz(func(t *testing.T, patch string, first, last int) {
		d := parsePatch(patch)
		for _, h := range d.hunks {
			for i, line := range h.lines {
				if got, ok := d.within(h.first+i, h.first+i); ok && len(got) != 1 || ok && strings.Contains(line, "\n") {
					t.Errorf("line %d: %q", h.first+i, got)
				}
			}
		}
		if lines, ok := d.within(first, last); ok && len(lines) != last-first+1 {
			t.Errorf("lines %d to %d are %q", first, last, lines)
		}
	})
}

package report

import (
	"io"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Renderer turns results into one format.
type Renderer interface {
	// Render writes r to w, as a whole and with a line break at the end. The
	// results may say anything: see the package's comment. The error is w's, or
	// says why r cannot be put into the format.
	Render(w io.Writer, r *results.Results) error
}

// Format is a renderer under the name that people call it by.
type Format struct {
	Name string // one word, in small letters
	Renderer
}

// Formats are those that there is a choice of, the first of which is what
// people get who make none.
type Formats []Format

// AllFormats returns every format of this package. text fits the one for
// terminals to where it is written.
func AllFormats(text TextOptions) Formats {
	return Formats{
		{"text", textRenderer{text}},
		{"markdown", markdownRenderer{}},
		{"summary", markdownRenderer{Options{Whole: true}}},
		{"json", jsonRenderer{}},
	}
}

// Renderer returns the renderer of a name, or nil.
func (f Formats) Renderer(name string) Renderer {
	i := slices.IndexFunc(f, func(one Format) bool { return one.Name == name })
	if i < 0 {
		return nil
	}
	return f[i].Renderer
}

// Names returns the names, in order.
func (f Formats) Names() []string {
	var names []string
	for _, one := range f {
		names = append(names, one.Name)
	}
	return names
}

// String lists the names as a sentence does: "text, markdown or json".
func (f Formats) String() string {
	names := f.Names()
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// textRenderer renders as [Text].
type textRenderer struct{ options TextOptions }

// Render implements [Renderer].
func (t textRenderer) Render(w io.Writer, r *results.Results) error { return Text(w, r, t.options) }

// markdownRenderer renders as [Markdown].
type markdownRenderer struct{ options Options }

// Render implements [Renderer].
func (m markdownRenderer) Render(w io.Writer, r *results.Results) error {
	_, err := io.WriteString(w, Markdown(r, m.options)+"\n")
	return err
}

// jsonRenderer renders as results.json.
type jsonRenderer struct{}

// Render implements [Renderer].
func (jsonRenderer) Render(w io.Writer, r *results.Results) error {
	data, err := results.Encode(r)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

package report

import (
	"io"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Renderer turns results into one format.
type Renderer interface {
	// Render writes all of r to w, with a line break at the end. The strings in r are untrusted: see the package
	// comment. The error comes from w, or says why r cannot be rendered in this format.
	Render(w io.Writer, r *results.Results) error
}

// Format is a renderer with the name that users choose it by.
type Format struct {
	Name string // one word in lower case
	Renderer
}

// Formats are the available formats. The first one is the default.
type Formats []Format

// AllFormats returns every format of this package. text adapts the terminal format to where it is written.
func AllFormats(text TextOptions) Formats {
	return Formats{
		{"text", textRenderer{text}},
		{"markdown", markdownRenderer{}},
		{"summary", markdownRenderer{Options{Whole: true}}},
		{"json", jsonRenderer{}},
	}
}

// Renderer returns the renderer of the format with a name, or nil if there is none.
func (f Formats) Renderer(name string) Renderer {
	i := slices.IndexFunc(f, func(one Format) bool { return one.Name == name })
	if i < 0 {
		return nil
	}
	return f[i].Renderer
}

// Names returns the names of the formats, in order.
func (f Formats) Names() []string {
	var names []string
	for _, one := range f {
		names = append(names, one.Name)
	}
	return names
}

// String lists the names as in a sentence, such as "text, markdown or json".
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

// A comment before the constraint.

//go:build (linux || !linux) && !never

package tags

// Chosen is one of two.
func Chosen(n int) string {
	if n > 2 {
		return "in"
	}
	return "few"
}

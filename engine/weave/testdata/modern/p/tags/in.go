// A comment before the constraint.

//go:build (linux || !linux) && !never

package tags

func chosen(n int) string {
	if n > 2 {
		return "in"
	}
	return "few"
}

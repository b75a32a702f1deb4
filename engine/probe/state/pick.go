//go:build go1.21

package state

// Pick returns mutated while mutant id is active, else original. It is for
// constants only, since both arguments are evaluated.
func Pick[T any](id int32, mutated, original T) T {
	if M == id {
		return mutated
	}
	return original
}

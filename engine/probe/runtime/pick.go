//go:build go1.21

package runtime

// Pick gives mutated while mutant id is active, else original. It serves
// constants only, since both values are there before one is chosen.
func Pick[T any](id int32, mutated, original T) T {
	if M == id {
		return mutated
	}
	return original
}

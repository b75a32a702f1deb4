package declaration

import (
	"strings"
	"testing"
)

func TestKeysAndSelectedNamesAreMembers(t *testing.T) {
	for text, want := range map[string]bool{
		"x . max":                            true,
		"T { max :":                          true,
		"T { min : 1 , max :":                true,
		"T { f ( 1 , 2 ) , max :":            true,
		"switch n { case max :":              false,
		"switch n { case min , max :":        false,
		"case f ( T { a : 1 } , 2 ) , max :": false,
		"case a : T { b : 1 , max :":         true,
		"f ( min , max )":                    false,
	} {
		tokens := strings.Fields(text)
		i := len(tokens) - 1
		for tokens[i] != "max" {
			i--
		}
		if got := isMember(tokens, i); got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
	}
}

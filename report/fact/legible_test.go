package fact

import "testing"

func TestTestsThatAssertLittleAreToldFromOthers(t *testing.T) {
	body := func(lines string) string { return "func TestF(t *testing.T) {\n" + lines + "}\n" }
	for _, tt := range []struct {
		body            string
		nothing, little bool
	}{
		{"\tF()\n", true, true},
		{"\terr := F()\n\tif err == nil {\n\t\tt.Error(\"F(): no error\")\n\t}\n", false, true},
		{"\terr := F()\n\tif err != nil {\n\t\tt.Errorf(\"F(): %v\", err)\n\t}\n", false, false},
		{"\tgot, err := F()\n\tif got != 1 {\n\t\tt.Errorf(\"%v\", got)\n\t}\n\tif err == nil {\n\t\tt.Error(1)\n\t}\n", false, false},
		{"\terr := F()\n\trequire.Error(t, err)\n", false, true},
		{"\tgot := F()\n\tassert.NotNil(t, got)\n", false, true},
		{"\tgot, err := F()\n\tassert.Equal(t, 1, got)\n\tassert.Error(t, err)\n", false, false},
		{"\terr := F()\n\tassert.NoError(t, err)\n", false, false},
	} {
		if nothing, little := AssertsNothing(body(tt.body)), assertsLittle(body(tt.body)); nothing != tt.nothing || little != tt.little {
			t.Errorf("%s\nnothing %t, little %t", tt.body, nothing, little)
		}
	}
}

package prose

import "testing"

func TestOnlyWhatDiffersOfLongValuesIsShown(t *testing.T) {
	long := "&bytes.Buffer{buf: []byte(\"<ul>\\n<li>\\n<pre><code>"
	a, b := Difference(long+long+"x</code>\")}", long+long+"</code>\")}")
	if a != "…\"<ul>\\n<li>\\n<pre><code>x</code>\")}" || b != "…\"<ul>\\n<li>\\n<pre><code></code>\")}" {
		t.Errorf("%s\n%s", a, b)
	}
	if a, b := Difference("1", "22"); a != "1" || b != "22" {
		t.Errorf("%s %s", a, b)
	}
}

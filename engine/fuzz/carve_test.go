package fuzz

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestArgumentsOfTestsMakeInputsEasierToRead(t *testing.T) {
	u, target := newTestFuzzer()
	u.Woven.Tested = [][]byte{[]byte("12")}
	found, carved := corpus.NewEntry([]byte(wire.EncodeEntry([]any{57}))), corpus.NewEntry([]byte(wire.EncodeEntry([]any{60})))
	target.corpus, target.carved = []corpus.Entry{found, carved}, []corpus.Entry{carved}
	job := u.simplifyJob(&claim{target: target, mutant: 1, entry: found})
	if len(job.Corpus) != 2 || job.Corpus[0].ID != found.ID || job.Corpus[1].ID != carved.ID || len(job.Tested) != 1 {
		t.Errorf("the job is %+v", job)
	}
}

package fuzz

import (
	"maps"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
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

func TestOnlyCallsOfOneFunctionInOneDriverAreTwins(t *testing.T) {
	sites := []weave.Site{
		{Target: "p.Driver_F", Function: "p.New"},
		{Target: "p.Driver_F", Function: "p.F"},
		{Target: "p.Driver_G", Function: "p.F"},
		{Target: "p.Driver_F", Function: "p.F"},
		{Target: "p.Driver_F"},
		{Target: "p.Driver_F"},
		{Target: "p.Driver_F", Function: "p.F"},
	}
	if got, want := twins(sites, "p.Driver_F"), map[int]int{3: 1, 6: 1}; !maps.Equal(got, want) {
		t.Errorf("twins %v, want %v", got, want)
	}
}

module github.com/mutantfuzz/mutantfuzz

go 1.26.0

/* A comment
in front. */ package tagged

// System depends on the name of the file.
func System(n int) int { return n - 1 }

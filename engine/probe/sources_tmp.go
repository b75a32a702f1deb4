package probe
func Sources() map[string]string { return nil }

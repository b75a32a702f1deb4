// Package forms has Go in all its forms, a few functions to a file.
package forms

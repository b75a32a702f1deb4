package scratch

import "os"

// openFlags opens an original.
const openFlags = os.O_RDONLY

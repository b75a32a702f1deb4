package scratch

import "os"

// openFlags are the flags for opening an original.
const openFlags = os.O_RDONLY

module example.com/worded

go 1.24

module example.com/woven

go 1.21

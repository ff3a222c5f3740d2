module cratebase.example/cratebase

go 1.19

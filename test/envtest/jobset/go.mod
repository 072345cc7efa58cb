module kaji.dev/test/jobset

go 1.26

require sigs.k8s.io/jobset v0.10.1 // indirect

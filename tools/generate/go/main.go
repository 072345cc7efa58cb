// Prints facts about the built-in kinds of Kubernetes as JSON, for the TypeScript generator beside it.
//
//	generate structs                     every struct reachable from a registered kind, with its tags
//	generate enums FILE                  the enumerations in a generated OpenAPI definitions file
//	generate merge-schema FILE           the merge schema in client-go's internal apply configurations
//	generate samples SEED COUNT          objects of every kind with random gaps, as protobuf and as JSON
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
)

func main() {
	facts, err := run(os.Args[1:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(facts)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) (any, error) {
	switch {
	case len(args) == 1 && args[0] == "structs":
		return dumpStructs()
	case len(args) == 2 && args[0] == "enums":
		return dumpEnums(args[1])
	case len(args) == 2 && args[0] == "merge-schema":
		return dumpMergeSchema(args[1])
	case len(args) == 3 && args[0] == "samples":
		seed, err := strconv.ParseInt(args[1], 10, 64)
		if err != nil {
			return nil, err
		}
		count, err := strconv.Atoi(args[2])
		if err != nil {
			return nil, err
		}
		return dumpSamples(seed, count)
	}
	return nil, fmt.Errorf("usage: generate structs | enums FILE | merge-schema FILE | samples SEED COUNT")
}

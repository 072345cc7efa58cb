package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"sigs.k8s.io/yaml"
)

// dumpMergeSchema reads the schema for structured merges out of client-go, which keeps it in an internal package.
func dumpMergeSchema(file string) (any, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	text := ""
	ast.Inspect(parsed, func(node ast.Node) bool {
		literal, ok := node.(*ast.BasicLit)
		if ok && strings.HasPrefix(literal.Value, "`types:") {
			text = strings.Trim(literal.Value, "`")
		}
		return true
	})
	if text == "" {
		return nil, fmt.Errorf("%s: no schema found", file)
	}
	var schema any
	err = yaml.Unmarshal([]byte(text), &schema)
	return schema, err
}

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
)

// dumpEnums reads the OpenAPI definitions that a Kubernetes server is compiled from, because the documents
// published with it leave the enumerations out. It answers: qualified struct name, JSON name, allowed values.
func dumpEnums(file string) (map[string]map[string][]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	imports, err := importPaths(parsed)
	if err != nil {
		return nil, err
	}
	structs := structOfFunction(parsed, imports)
	enums := map[string]map[string][]string{}
	for _, declaration := range parsed.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || structs[function.Name.Name] == "" {
			continue
		}
		if found := enumsOfDefinition(function); len(found) > 0 {
			enums[structs[function.Name.Name]] = found
		}
	}
	if len(enums) == 0 {
		return nil, fmt.Errorf("%s: no enumeration found", file)
	}
	return enums, nil
}

func importPaths(file *ast.File) (map[string]string, error) {
	paths := map[string]string{}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[name] = imported
	}
	return paths, nil
}

// structOfFunction reads the entries `pkg.Struct{}.OpenAPIModelName(): function(ref)` of the list of definitions.
func structOfFunction(file *ast.File, imports map[string]string) map[string]string {
	structs := map[string]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		entry, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		name, function := modelName(entry.Key, imports), calledFunction(entry.Value)
		if name != "" && function != "" {
			structs[function] = name
		}
		return true
	})
	return structs
}

func modelName(key ast.Expr, imports map[string]string) string {
	call, ok := key.(*ast.CallExpr)
	if !ok {
		return ""
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "OpenAPIModelName" {
		return ""
	}
	literal, ok := method.X.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	selector, ok := literal.Type.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := selector.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return imports[pkg.Name] + "." + selector.Sel.Name
}

func calledFunction(value ast.Expr) string {
	call, ok := value.(*ast.CallExpr)
	if !ok {
		return ""
	}
	if function, ok := call.Fun.(*ast.Ident); ok {
		return function.Name
	}
	return ""
}

// enumsOfDefinition finds, per property, the values of the property itself or of its items.
func enumsOfDefinition(function *ast.FuncDecl) map[string][]string {
	found := map[string][]string{}
	property := ""
	ast.Inspect(function, func(node ast.Node) bool {
		entry, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if name, ok := stringLiteral(entry.Key); ok {
			if _, isSchema := entry.Value.(*ast.CompositeLit); isSchema {
				property = name
			}
		} else if key, ok := entry.Key.(*ast.Ident); ok && key.Name == "Enum" {
			found[property] = stringLiterals(entry.Value)
		}
		return true
	})
	return found
}

func stringLiterals(list ast.Expr) []string {
	values := []string{}
	ast.Inspect(list, func(node ast.Node) bool {
		if expression, ok := node.(ast.Expr); ok {
			if value, ok := stringLiteral(expression); ok {
				values = append(values, value)
			}
		}
		return true
	})
	return values
}

func stringLiteral(expression ast.Expr) (string, bool) {
	literal, ok := expression.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	value, err := strconv.Unquote(literal.Value)
	return value, err == nil
}

package main

import (
	"encoding/json"
	"log"
	"maps"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
)

// The types of the objects in the vectors.
var roots = map[string]any{
	"core/v1.ConfigMap":             corev1.ConfigMap{},
	"core/v1.Node":                  corev1.Node{},
	"core/v1.Pod":                   corev1.Pod{},
	"core/v1.Service":               corev1.Service{},
	"core/v1.ServiceAccount":        corev1.ServiceAccount{},
	"apps/v1.Deployment":            appsv1.Deployment{},
	"policy/v1.PodDisruptionBudget": policyv1.PodDisruptionBudget{},
	"patches.Odd":                   Odd{},
}

// Odd has what no type of the API has.
type Odd struct {
	Name        string             `json:"name,omitempty"`
	Integers    []int64            `json:"integers,omitempty" patchStrategy:"merge"`
	Strings     []string           `json:"strings,omitempty" patchStrategy:"merge"`
	Items       []OddItem          `json:"items,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	ByNumber    []OddItem          `json:"byNumber,omitempty" patchStrategy:"merge" patchMergeKey:"number"`
	Unions      []OddItem          `json:"unions,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
	Keyless     []OddItem          `json:"keyless,omitempty" patchStrategy:"merge"`
	Plain       []OddItem          `json:"plain,omitempty"`
	Replaced    []OddItem          `json:"replaced,omitempty" patchStrategy:"replace" patchMergeKey:"name"`
	Retained    *OddItem           `json:"retained,omitempty" patchStrategy:"retainKeys"`
	Exchanged   *OddItem           `json:"exchanged,omitempty" patchStrategy:"replace"`
	Both        *OddItem           `json:"both,omitempty" patchStrategy:"replace,retainKeys"`
	Table       map[string]OddItem `json:"table,omitempty"`
	Anything    any                `json:"anything,omitempty"`
	Constructor []OddItem          `json:"constructor,omitempty" patchStrategy:"merge" patchMergeKey:"toString"`
}

// OddItem is an element, a union and a tree.
type OddItem struct {
	Name     string    `json:"name,omitempty"`
	Number   int64     `json:"number,omitempty"`
	Value    string    `json:"value,omitempty"`
	Tags     []string  `json:"tags,omitempty" patchStrategy:"merge"`
	Children []OddItem `json:"children,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	Inner    *OddItem  `json:"inner,omitempty"`
}

// A fieldFact says how patches treat a field: a struct by its name in the table, or the Go kind of anything else.
type fieldFact struct {
	Type       string `json:"type"`
	List       bool   `json:"list,omitempty"`
	Strategy   string `json:"strategy,omitempty"`
	RetainKeys bool   `json:"retainKeys,omitempty"`
	MergeKey   string `json:"mergeKey,omitempty"`
}

// schemaLines describes all structs that the roots lead to, one line for each.
func schemaLines() [][]byte {
	structs := map[string]map[string]fieldFact{}
	for name, root := range roots {
		if found := describe(reflect.TypeOf(root), structs); found != name {
			log.Fatalf("%s is called %s", found, name)
		}
	}
	var lines [][]byte
	for _, name := range slices.Sorted(maps.Keys(structs)) {
		fields, err := json.Marshal(structs[name])
		if err != nil {
			log.Fatal(err)
		}
		lines = append(lines, append([]byte(`"`+name+`": `), fields...))
	}
	return lines
}

func describe(t reflect.Type, structs map[string]map[string]fieldFact) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return t.Kind().String()
	}
	path := strings.Split(t.PkgPath(), "/")
	name := strings.Join(path[max(0, len(path)-2):], "/") + "." + t.Name()
	if t.PkgPath() == "main" {
		name = "patches." + t.Name()
	}
	if structs[name] == nil {
		structs[name] = map[string]fieldFact{}
		addFields(t, structs[name], structs)
	}
	return name
}

func addFields(t reflect.Type, fields map[string]fieldFact, structs map[string]map[string]fieldFact) {
	for field := range t.Fields() {
		tag, tagged := field.Tag.Lookup("json")
		name, _, _ := strings.Cut(tag, ",")
		switch {
		case !tagged || name == "-":
			// Not in JSON, or in a type that writes its own.
		case field.Anonymous && name == "":
			addFields(field.Type, fields, structs)
		default:
			fields[name] = fact(field, structs)
		}
	}
}

func fact(field reflect.StructField, structs map[string]map[string]fieldFact) fieldFact {
	result := fieldFact{MergeKey: field.Tag.Get("patchMergeKey")}
	for strategy := range strings.SplitSeq(field.Tag.Get("patchStrategy"), ",") {
		if strategy == "retainKeys" {
			result.RetainKeys = true
		} else {
			result.Strategy = strategy
		}
	}
	t := field.Type
	if t.Kind() == reflect.Slice {
		result.List = true
		t = t.Elem()
	}
	result.Type = describe(t, structs)
	return result
}

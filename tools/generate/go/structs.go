package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

type structFacts struct {
	Kinds   []kindFact          `json:"kinds"`
	Structs map[string][]*field `json:"structs"`
}

// kindFact says which Go struct an object of a kind is.
type kindFact struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Struct  string `json:"struct"`
}

// field is one field of a struct as its type and tags describe it.
type field struct {
	GoName string `json:"goName"`
	Name   string `json:"name,omitempty"`
	// Number is the number on the protobuf wire; 0 when the field is not on it.
	Number        int       `json:"number,omitempty"`
	Type          *typeFact `json:"type"`
	Pointer       bool      `json:"pointer,omitempty"`
	OmitEmpty     bool      `json:"omitEmpty,omitempty"`
	OmitZero      bool      `json:"omitZero,omitempty"`
	Inline        bool      `json:"inline,omitempty"`
	PatchStrategy string    `json:"patchStrategy,omitempty"`
	PatchMergeKey string    `json:"patchMergeKey,omitempty"`
	// GoType is the type as Go prints it, where a named type that is not a struct is part of it.
	GoType string `json:"goType,omitempty"`
}

// typeFact describes a type: a scalar by the name of its kind, a list, a map, or a struct by its qualified name.
type typeFact struct {
	Scalar string    `json:"scalar,omitempty"`
	List   *typeFact `json:"list,omitempty"`
	Map    *typeFact `json:"map,omitempty"`
	Struct string    `json:"struct,omitempty"`
	// Alias is the qualified name of a named type that is not a struct.
	Alias string `json:"alias,omitempty"`
	// Message marks a named list or map that is a message of its own on the protobuf wire.
	Message bool `json:"message,omitempty"`
	// Opaque marks a type that writes its own JSON.
	Opaque bool `json:"opaque,omitempty"`
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	wireMarshaler = reflect.TypeFor[runtime.ProtobufMarshaller]()
)

func dumpStructs() (*structFacts, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	facts := &structFacts{Structs: map[string][]*field{}}
	for kind, object := range scheme.AllKnownTypes() {
		if kind.Version == runtime.APIVersionInternal {
			continue
		}
		facts.Kinds = append(facts.Kinds, kindFact{kind.Group, kind.Version, kind.Kind, qualifiedName(object)})
		if _, err := facts.describe(object); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(facts.Kinds, func(a, b kindFact) int {
		return strings.Compare(a.Group+"/"+a.Version+"/"+a.Kind, b.Group+"/"+b.Version+"/"+b.Kind)
	})
	return facts, nil
}

func (f *structFacts) describe(t reflect.Type) (*typeFact, error) {
	fact := &typeFact{}
	if t.Name() != "" && t.PkgPath() != "" {
		fact.Opaque = implements(t, jsonMarshaler) || implements(t, textMarshaler)
	}
	if t.Kind() == reflect.Struct {
		fact.Struct = qualifiedName(t)
		return fact, f.addStruct(t)
	}
	if t.PkgPath() != "" {
		fact.Alias = qualifiedName(t)
		fact.Message = implements(t, wireMarshaler)
	}
	var err error
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Int32, reflect.Int64, reflect.Float64:
		fact.Scalar = t.Kind().String()
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			fact.Scalar = "bytes"
		} else {
			fact.List, err = f.describe(t.Elem())
		}
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return nil, fmt.Errorf("%s: a map whose keys are not strings", t)
		}
		fact.Map, err = f.describe(t.Elem())
	case reflect.Interface:
		fact.Scalar = "interface"
	default:
		return nil, fmt.Errorf("%s: a %s is not expected in an API type", t, t.Kind())
	}
	return fact, err
}

func (f *structFacts) addStruct(t reflect.Type) error {
	name := qualifiedName(t)
	if _, known := f.Structs[name]; known {
		return nil
	}
	f.Structs[name] = []*field{}
	fields := []*field{}
	for i := range t.NumField() {
		goField := t.Field(i)
		if !goField.IsExported() {
			continue
		}
		described, err := f.describeField(goField)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", name, goField.Name, err)
		}
		fields = append(fields, described)
	}
	f.Structs[name] = fields
	return nil
}

func (f *structFacts) describeField(goField reflect.StructField) (*field, error) {
	described := &field{
		GoName:        goField.Name,
		PatchStrategy: goField.Tag.Get("patchStrategy"),
		PatchMergeKey: goField.Tag.Get("patchMergeKey"),
	}
	name, options, _ := strings.Cut(goField.Tag.Get("json"), ",")
	described.Name = name
	described.Inline = goField.Anonymous && name == ""
	for option := range strings.SplitSeq(options, ",") {
		described.OmitEmpty = described.OmitEmpty || option == "omitempty"
		described.OmitZero = described.OmitZero || option == "omitzero"
	}
	if parts := strings.Split(goField.Tag.Get("protobuf"), ","); len(parts) > 1 {
		number, err := strconv.Atoi(parts[1])
		if err != nil {
			return nil, err
		}
		described.Number = number
	}
	t := goField.Type
	if t.Kind() == reflect.Pointer {
		described.Pointer = true
		t = t.Elem()
	}
	if hasNamedPart(t) {
		described.GoType = t.String()
	}
	var err error
	described.Type, err = f.describe(t)
	return described, err
}

// hasNamedPart says whether a type, its items or keys have a name that the kind of the type does not tell.
func hasNamedPart(t reflect.Type) bool {
	switch {
	case t.Kind() == reflect.Struct:
		return false
	case t.PkgPath() != "":
		return true
	case t.Kind() == reflect.Slice:
		return hasNamedPart(t.Elem())
	case t.Kind() == reflect.Map:
		return hasNamedPart(t.Key()) || hasNamedPart(t.Elem())
	default:
		return false
	}
}

func qualifiedName(t reflect.Type) string {
	return t.PkgPath() + "." + t.Name()
}

func implements(t, role reflect.Type) bool {
	return t.Implements(role) || reflect.PointerTo(t).Implements(role)
}

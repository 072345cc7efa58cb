package main

import (
	"bytes"
	_ "embed"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"
)

//go:embed scales.yaml
var scales []byte

type scale struct {
	Name         string                      `json:"name"`
	Entries      []metav1.ManagedFieldsEntry `json:"entries"`
	ScaleEntries []metav1.ManagedFieldsEntry `json:"scaleEntries"`
	// What the Scale shows of the entries.
	Shown []metav1.ManagedFieldsEntry `json:"shown"`
	// What becomes of the entries with those of the Scale.
	After []metav1.ManagedFieldsEntry `json:"after"`
}

// Where replicas are, at each version of the object that is scaled at apps/v1.
var replicasPaths = managedfields.ResourcePathMappings{
	"apps/v1":      fieldpath.MakePathOrDie("spec", "replicas"),
	"apps/v1beta1": nil,
	"apps/v2":      fieldpath.MakePathOrDie("spec", "scale", "count"),
}

func allScales() ([]*scale, error) {
	var cases []*scale
	if err := yaml.UnmarshalStrict(scales, &cases); err != nil {
		return nil, err
	}
	for _, each := range cases {
		handler := managedfields.NewScaleHandler(each.Entries, groupVersion("apps/v1"), replicasPaths)
		var err error
		if each.Shown, err = handler.ToSubresource(); err != nil {
			return nil, err
		}
		if each.After, err = handler.ToParent(each.ScaleEntries); err != nil {
			return nil, err
		}
	}
	return cases, nil
}

// fields is a set as somebody wrote it, and as the server writes it; the order of keys matters.
type fields struct {
	Written string `json:"written"`
	Encoded string `json:"encoded"`
}

var written = []string{
	`{}`,
	`{".":{}}`,
	`{"f:b":{},"f:a":{".":{}},"f:c":{"f:z":{},".":{}}}`,
	`{"v:10":{},"v:2":{},"v:true":{},"v:\"b\"":{},"v:\"a\"":{},"v:null":{},"v:1.5":{},"v:-3":{}}`,
	`{"i:10":{},"i:2":{},"v:1":{},"k:{\"a\":1}":{},"f:x":{}}`,
	`{"k:{\"name\":\"b\"}":{"f:x":{}},"k:{\"name\":\"a\",\"extra\":1}":{},"k:{\"name\":\"a\"}":{".":{}}}`,
	`{"k:{\"port\":443,\"protocol\":\"TCP\"}":{},"k:{\"protocol\":\"TCP\",\"port\":80}":{},"k:{\"port\":80,\"protocol\":\"SCTP\"}":{}}`,
	`{"v:\"<a&b>\"":{},"v:\"\\u003c\"":{},"v:\"\\\"quoted\\\"\"":{},"f:<a&b>":{}}`,
	`{"f:known":{"x:unknown":{},"f:a":{}},"z:unknown":{"f:b":{}}}`,
	`{"f:":{},"f:.":{},"f:a.b/c":{},"f:__proto__":{},"f:ä😀":{}}`,
	`{"v:9007199254740991":{},"v:1.0":{},"v:1e3":{},"v:0.000001":{},"v:123456789012345":{}}`,
}

func allFields() (result []fields, err error) {
	for _, text := range written {
		set := &fieldpath.Set{}
		if err := set.FromJSON(bytes.NewReader([]byte(text))); err != nil {
			return nil, err
		}
		encoded, err := set.ToJSON()
		if err != nil {
			return nil, err
		}
		result = append(result, fields{text, string(encoded)})
	}
	return result, nil
}

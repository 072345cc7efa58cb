package main

import (
	"strings"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type nameVector struct {
	Value            string   `json:"value"`
	Dns1123Label     []string `json:"dns1123Label,omitempty"`
	Dns1123Subdomain []string `json:"dns1123Subdomain,omitempty"`
	Dns1035Label     []string `json:"dns1035Label,omitempty"`
	QualifiedName    []string `json:"qualifiedName,omitempty"`
	LabelValue       []string `json:"labelValue,omitempty"`
	PathSegment      []string `json:"pathSegment,omitempty"`
	// Annotation is what is said of an annotation with this key at metadata.annotations.
	Annotation []string `json:"annotation,omitempty"`
}

func names() []nameVector {
	a := func(n int) string { return strings.Repeat("a", n) }
	values := []string{
		"", "a", "A", "0", "-", "a-", "-a", "a-b", "a--b", "0a", "a0", "9", "my-name", "my_name", "my.name", "MyName", "a.b", "a..b", ".a", "a.", ".", "..", "...", "a b", " a", "a ", "a\n", "\n", "a\tb",
		"a/b", "/", "a/", "/a", "a/b/c", "a//b", "example.com/name", "Example.com/name", "example.com/Name_1", "example..com/x", "-a.com/x", "example.com/", "example.com/-x", "_a/b", "a%b", "%", "a/%", "a%2fb",
		"é", "aé", "é/a", "a/é", "日本", "a@b", "a:b", "a=b", "a,b", "kubernetes.io/os", "*.example.com", "1.2.3.4",
		a(63), a(64), a(253), a(254), a(63) + "." + a(63), "a." + a(250) + "b", a(253) + "/a", a(254) + "/a", "a/" + a(63), "a/" + a(64), strings.Repeat("é", 32), strings.Repeat("A", 64) + "_", a(62) + "-", "a/" + a(64) + "-",
		"ǅ/a", "K", "İ",
	}
	vectors := []nameVector{}
	for _, value := range values {
		vector := nameVector{
			Value:            value,
			Dns1123Label:     validation.IsDNS1123Label(value),
			Dns1123Subdomain: validation.IsDNS1123Subdomain(value),
			Dns1035Label:     validation.IsDNS1035Label(value),
			QualifiedName:    validation.IsQualifiedName(value),
			LabelValue:       validation.IsValidLabelValue(value),
			PathSegment:      path.IsValidPathSegmentName(value),
		}
		for _, err := range apivalidation.ValidateAnnotations(map[string]string{value: ""}, field.NewPath("metadata", "annotations")) {
			vector.Annotation = append(vector.Annotation, err.Error())
		}
		vectors = append(vectors, vector)
	}
	return vectors
}

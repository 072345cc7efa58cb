package main

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"

	smdyaml "go.yaml.in/yaml/v2"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/yaml"
)

//go:embed widgets.yaml
var widgets []byte

// kind is what the tests need to know to play the same sequences.
type kind struct {
	Kind string `json:"kind"`
	// The first is the one of steps that name none.
	Versions []string `json:"versions"`
	// Empty objects of the kind have these fields.
	Empty object `json:"empty,omitempty"`
	// Reset fields of each subresource, "" for the object itself.
	ResetFields map[string][][]string `json:"resetFields,omitempty"`
	// How objects merge, one of three: the types of built-in kinds, the root one first; ...
	Types []object `json:"types,omitempty"`
	// ... the OpenAPI schemas of custom ones, by version; or nothing, when all is deduced.
	OpenAPI map[string]*apiextensionsv1.JSONSchemaProps `json:"openAPI,omitempty"`

	types managedfields.TypeConverter
}

func allKinds() (map[string]*kind, error) {
	deployment, err := builtIn("apps/v1", "Deployment", &appsv1.Deployment{})
	if err != nil {
		return nil, err
	}
	deployment.ResetFields = map[string][][]string{"": {{"status"}}, "status": {{"spec"}, {"metadata", "labels"}}}
	configMap, err := builtIn("v1", "ConfigMap", &corev1.ConfigMap{})
	if err != nil {
		return nil, err
	}
	service, err := builtIn("v1", "Service", &corev1.Service{})
	if err != nil {
		return nil, err
	}
	service.ResetFields = map[string][][]string{"": {{"status"}}, "status": {{"spec"}}}
	widget, err := custom(widgets)
	if err != nil {
		return nil, err
	}
	anything := &kind{Kind: "Anything", Versions: []string{"example.com/v1"}, types: managedfields.NewDeducedTypeConverter()}
	kinds := map[string]*kind{}
	for _, each := range []*kind{deployment, configMap, service, widget, anything} {
		kinds[each.Kind] = each
	}
	return kinds, nil
}

func builtIn(version, name string, zero runtime.Object) (*kind, error) {
	types := applyconfigurations.NewTypeConverter(scheme.Scheme)
	empty, err := runtime.DefaultUnstructuredConverter.ToUnstructured(zero)
	if err != nil {
		return nil, err
	}
	result := &kind{Kind: name, Versions: []string{version}, Empty: empty, types: types}
	typed, err := types.ObjectToTyped(result.empty(version))
	if err != nil {
		return nil, err
	}
	result.Types, err = reachable(typed.Schema(), *typed.TypeRef().NamedType)
	return result, err
}

func custom(definition []byte) (*kind, error) {
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(definition, &crd); err != nil {
		return nil, err
	}
	result := &kind{Kind: crd.Spec.Names.Kind, OpenAPI: map[string]*apiextensionsv1.JSONSchemaProps{}}
	models := map[string]*spec.Schema{}
	for _, version := range crd.Spec.Versions {
		api, err := builder.BuildOpenAPIV3(&crd, version.Name, builder.Options{})
		if err != nil {
			return nil, err
		}
		for name, model := range api.Components.Schemas {
			models[name] = model
		}
		apiVersion := crd.Spec.Group + "/" + version.Name
		result.Versions = append(result.Versions, apiVersion)
		result.OpenAPI[apiVersion] = version.Schema.OpenAPIV3Schema
	}
	types, err := managedfields.NewTypeConverter(models, false)
	result.types = types
	result.ResetFields = map[string][][]string{"": {{"status"}}, "status": {{"spec"}, {"metadata"}}}
	return result, err
}

func (k *kind) fieldManager(apiVersion, subresource string) (*managedfields.FieldManager, error) {
	gv := groupVersion(apiVersion)
	build := managedfields.NewDefaultCRDFieldManager
	if k.Types != nil {
		build = managedfields.NewDefaultFieldManager
	}
	return build(k.types, k.converter(), k, k, gv.WithKind(k.Kind), gv, subresource, k.filters(subresource))
}

func (k *kind) filters(subresource string) map[fieldpath.APIVersion]fieldpath.Filter {
	reset := fieldpath.NewSet()
	for _, names := range k.ResetFields[subresource] {
		path := fieldpath.Path{}
		for _, name := range names {
			path = append(path, fieldpath.FieldNameElement(name))
		}
		reset.Insert(path)
	}
	filters := map[fieldpath.APIVersion]fieldpath.Filter{}
	for _, version := range k.Versions {
		filters[fieldpath.APIVersion(version)] = fieldpath.NewExcludeSetFilter(reset)
	}
	return filters
}

func (k *kind) empty(apiVersion string) *unstructured.Unstructured {
	result := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(k.Empty)}
	if result.Object == nil {
		result.Object = object{}
	}
	result.SetGroupVersionKind(groupVersion(apiVersion).WithKind(k.Kind))
	return result
}

// New makes a kind the creater of its empty objects.
func (k *kind) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	return k.empty(gvk.GroupVersion().String()), nil
}

// Default makes a kind a defaulter that adds nothing.
func (k *kind) Default(runtime.Object) {}

// reachable lists the types that a type is made of, itself first.
func reachable(all *smdschema.Schema, root string) (found []object, err error) {
	queue, seen := []string{root}, map[string]bool{root: true}
	for len(queue) > 0 {
		def, ok := all.FindNamedType(queue[0])
		if !ok {
			return nil, fmt.Errorf("no type %s", queue[0])
		}
		queue = queue[1:]
		data, err := smdyaml.Marshal(def)
		if err != nil {
			return nil, err
		}
		var plain object
		if err := yaml.Unmarshal(data, &plain); err != nil {
			return nil, err
		}
		found = append(found, plain)
		for _, name := range typesIn(plain) {
			if !seen[name] {
				seen[name] = true
				queue = append(queue, name)
			}
		}
	}
	return found, nil
}

func typesIn(node any) (names []string) {
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			names = append(names, typesIn(item)...)
		}
	case object:
		if name, ok := node["namedType"].(string); ok {
			names = append(names, name)
		}
		for _, key := range slices.Sorted(maps.Keys(node)) {
			names = append(names, typesIn(node[key])...)
		}
	}
	return names
}

func groupVersion(apiVersion string) schema.GroupVersion {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		panic(err)
	}
	return gv
}

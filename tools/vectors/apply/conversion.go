package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// conversion changes versions. Versions of a kind are alike, but that `spec.size` is called `spec.capacity` in v2.
type conversion struct{ kind *kind }

func (k *kind) converter() runtime.ObjectConvertor { return conversion{k} }

func (c conversion) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	source := in.(*unstructured.Unstructured)
	gvk, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{source.GroupVersionKind()})
	if !ok {
		return nil, fmt.Errorf("cannot convert %v to %v", source.GroupVersionKind(), target)
	}
	known := false
	for _, version := range c.kind.Versions {
		known = known || version == gvk.GroupVersion().String()
	}
	if !known {
		return nil, runtime.NewNotRegisteredErrForKind("vectors", gvk)
	}
	out := source.DeepCopy()
	out.SetGroupVersionKind(gvk)
	if source.GroupVersionKind().Version == "v2" {
		rename(out, "capacity", "size")
	}
	if gvk.Version == "v2" {
		rename(out, "size", "capacity")
	}
	return out, nil
}

func rename(object *unstructured.Unstructured, from, to string) {
	spec, ok := object.Object["spec"].(map[string]any)
	if !ok {
		return
	}
	if value, ok := spec[from]; ok {
		delete(spec, from)
		spec[to] = value
	}
}

func (c conversion) Convert(in, out, context any) error {
	return fmt.Errorf("objects are converted as a whole")
}

func (c conversion) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

package main

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
)

// Widget is the kind that is mirrored.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec   `json:"spec"`
	Status            WidgetStatus `json:"status"`
}

type WidgetSpec struct {
	Replicas int32             `json:"replicas"`
	Image    string            `json:"image"`
	Note     string            `json:"note"`
	Selector map[string]string `json:"selector"`
	Env      []EnvVar          `json:"env"`
	Ports    []Port            `json:"ports"`
}

type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type Port struct {
	Name string `json:"name"`
	Port int32  `json:"port"`
}

type WidgetStatus struct {
	Phase      string             `json:"phase"`
	Conditions []metav1.Condition `json:"conditions"`
}

type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Widget `json:"items"`
}

func (w *Widget) DeepCopyObject() runtime.Object {
	copied := *w
	w.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	copied.Spec.Selector = maps.Clone(w.Spec.Selector)
	copied.Spec.Env = slices.Clone(w.Spec.Env)
	copied.Spec.Ports = slices.Clone(w.Spec.Ports)
	copied.Status.Conditions = slices.Clone(w.Status.Conditions)
	return &copied
}

func (l *WidgetList) DeepCopyObject() runtime.Object {
	copied := *l
	l.ListMeta.DeepCopyInto(&copied.ListMeta)
	copied.Items = make([]Widget, len(l.Items))
	for i := range l.Items {
		copied.Items[i] = *l.Items[i].DeepCopyObject().(*Widget)
	}
	return &copied
}

// Bar is the kind that is reconciled: it owns a Deployment.
type Bar struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BarSpec   `json:"spec"`
	Status            BarStatus `json:"status,omitempty"`
}

type BarSpec struct {
	DeploymentName string `json:"deploymentName"`
	Replicas       int32  `json:"replicas"`
}

type BarStatus struct {
	AvailableReplicas int32              `json:"availableReplicas"`
	Conditions        []metav1.Condition `json:"conditions,omitempty"`
}

type BarList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Bar `json:"items"`
}

func (b *Bar) DeepCopyObject() runtime.Object {
	copied := *b
	b.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	copied.Status.Conditions = slices.Clone(b.Status.Conditions)
	return &copied
}

func (l *BarList) DeepCopyObject() runtime.Object {
	copied := *l
	l.ListMeta.DeepCopyInto(&copied.ListMeta)
	copied.Items = make([]Bar, len(l.Items))
	for i := range l.Items {
		copied.Items[i] = *l.Items[i].DeepCopyObject().(*Bar)
	}
	return &copied
}

func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return nil, err
	}
	widgets := schema.GroupVersion{Group: "bench.kaji.dev", Version: "v1"}
	scheme.AddKnownTypes(widgets, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(scheme, widgets)
	bars := schema.GroupVersion{Group: "samplecontroller.example.com", Version: "v1alpha1"}
	scheme.AddKnownTypes(bars, &Bar{}, &BarList{})
	metav1.AddToGroupVersion(scheme, bars)
	return scheme, nil
}

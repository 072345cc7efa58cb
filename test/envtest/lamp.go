// Package envtest is a small operator whose suite runs on controller-runtime's envtest, with whatever assets it is given.
package envtest

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

var groupVersion = schema.GroupVersion{Group: "house.example.com", Version: "v1"}

// Lamp is a light in a room.
type Lamp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              LampSpec   `json:"spec"`
	Status            LampStatus `json:"status,omitempty"`
}

// LampSpec says what lamp it is to be.
type LampSpec struct {
	Room  string `json:"room"`
	Watts int32  `json:"watts,omitempty"`
	Color string `json:"color,omitempty"`
}

// LampStatus says what has become of it.
type LampStatus struct {
	Ready bool `json:"ready,omitempty"`
}

// LampList is many of them.
type LampList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Lamp `json:"items"`
}

// DeepCopyObject makes Lamp an object.
func (l *Lamp) DeepCopyObject() runtime.Object {
	out := *l
	out.ObjectMeta = *l.ObjectMeta.DeepCopy()
	return &out
}

// DeepCopyObject makes LampList an object.
func (l *LampList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = make([]Lamp, len(l.Items))
	for i := range l.Items {
		out.Items[i] = *l.Items[i].DeepCopyObject().(*Lamp)
	}
	return &out
}

func addToScheme(s *runtime.Scheme) {
	s.AddKnownTypes(groupVersion, &Lamp{}, &LampList{})
	metav1.AddToGroupVersion(s, groupVersion)
}

// lampReconciler keeps a ConfigMap beside every lamp.
type lampReconciler struct {
	client.Client
}

func (r *lampReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	lamp := &Lamp{}
	if err := r.Get(ctx, request.NamespacedName, lamp); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	switchboard := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: lamp.Namespace, Name: lamp.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, switchboard, func() error {
		switchboard.Data = map[string]string{"watts": fmt.Sprint(lamp.Spec.Watts), "color": lamp.Spec.Color}
		return controllerutil.SetControllerReference(lamp, switchboard, r.Scheme())
	})
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return ctrl.Result{RequeueAfter: 1}, nil
	}
	if err != nil || lamp.Status.Ready {
		return ctrl.Result{}, err
	}
	lamp.Status.Ready = true
	return ctrl.Result{}, r.Status().Update(ctx, lamp)
}

func (r *lampReconciler) setUp(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Lamp{}).Owns(&corev1.ConfigMap{}).Complete(r)
}

// lampWebhook gives lamps a color and keeps them out of the cellar.
type lampWebhook struct{}

func (lampWebhook) Default(_ context.Context, lamp *Lamp) error {
	if lamp.Spec.Color == "" {
		lamp.Spec.Color = "white"
	}
	return nil
}

func (lampWebhook) ValidateCreate(_ context.Context, lamp *Lamp) (admission.Warnings, error) {
	if lamp.Spec.Room == "cellar" {
		return nil, fmt.Errorf("the cellar is kept dark")
	}
	return nil, nil
}

func (w lampWebhook) ValidateUpdate(ctx context.Context, _, lamp *Lamp) (admission.Warnings, error) {
	return w.ValidateCreate(ctx, lamp)
}

func (lampWebhook) ValidateDelete(context.Context, *Lamp) (admission.Warnings, error) {
	return nil, nil
}

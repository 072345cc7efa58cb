package main

import (
	"context"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type barReconciler struct {
	client.Client
	talk    *protocol
	bars    int
	mutex   sync.Mutex
	started bool
	settled map[string]struct{}
}

func (r *barReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var bar Bar
	if err := r.Get(ctx, request.NamespacedName, &bar); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.begin(&bar)
	labels := map[string]string{"bar": bar.Name}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: bar.Spec.DeploymentName, Namespace: bar.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		deployment.Spec.Replicas = &bar.Spec.Replicas
		if deployment.CreationTimestamp.IsZero() {
			deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
			deployment.Spec.Template.Labels = labels
			deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "nginx", Image: "nginx:1.29"}}
		}
		return controllerutil.SetControllerReference(&bar, deployment, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.updateStatus(ctx, &bar, deployment.Status.AvailableReplicas); err != nil {
		return ctrl.Result{}, err
	}
	r.end(bar.Name)
	return ctrl.Result{}, nil
}

func (r *barReconciler) updateStatus(ctx context.Context, bar *Bar, available int32) error {
	before := bar.DeepCopyObject().(*Bar).Status
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: "Progressing"}
	if available >= bar.Spec.Replicas {
		ready.Status, ready.Reason = metav1.ConditionTrue, "Available"
	}
	ready.ObservedGeneration = bar.Generation
	bar.Status.AvailableReplicas = available
	meta.SetStatusCondition(&bar.Status.Conditions, ready)
	if equality.Semantic.DeepEqual(before, bar.Status) {
		return nil
	}
	return r.Status().Update(ctx, bar)
}

func (r *barReconciler) begin(bar *Bar) {
	r.talk.arrived(bar.Name, bar.Annotations)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !r.started {
		r.started = true
		r.talk.say("reconciling")
	}
}

func (r *barReconciler) end(name string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if _, found := r.settled[name]; found {
		return
	}
	r.settled[name] = struct{}{}
	if len(r.settled) == r.bars {
		r.talk.say("settled")
	}
}

// Operate keeps a Deployment for each Bar.
func operate(ctx context.Context, config *rest.Config, scheme *runtime.Scheme, talk *protocol, bars, concurrency int) error {
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
	})
	if err != nil {
		return err
	}
	reconciler := &barReconciler{Client: manager.GetClient(), talk: talk, bars: bars, settled: map[string]struct{}{}}
	err = ctrl.NewControllerManagedBy(manager).
		For(&Bar{}).
		Owns(&appsv1.Deployment{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: concurrency}).
		Complete(reconciler)
	if err != nil {
		return err
	}
	return manager.Start(ctx)
}

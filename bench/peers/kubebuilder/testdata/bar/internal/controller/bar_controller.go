package controller

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	samplecontrollerv1alpha1 "example.com/bar/api/v1alpha1"
)

// BarReconciler reconciles a Bar object
type BarReconciler struct {
	client.Client
	Scheme   *runtime.Scheme
	Recorder record.EventRecorder
}

// +kubebuilder:rbac:groups=samplecontroller.example.com,resources=bars,verbs=get;list;watch
// +kubebuilder:rbac:groups=samplecontroller.example.com,resources=bars/status,verbs=update;patch
// +kubebuilder:rbac:groups=samplecontroller.example.com,resources=bars/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch

// Reconcile makes the Deployment of a Bar what the Bar says, and reports in its status.
func (r *BarReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var bar samplecontrollerv1alpha1.Bar
	if err := r.Get(ctx, req.NamespacedName, &bar); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: bar.Spec.DeploymentName, Namespace: bar.Namespace}}
	if err := r.Get(ctx, client.ObjectKeyFromObject(deployment), deployment); err == nil && !metav1.IsControlledBy(deployment, &bar) {
		message := fmt.Sprintf("Deployment %s is not controlled by this Bar", deployment.Name)
		r.Recorder.Event(&bar, corev1.EventTypeWarning, "NameTaken", message)
		return ctrl.Result{}, r.setReady(ctx, &bar, 0, metav1.ConditionFalse, "NameTaken", message)
	} else if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		labels := map[string]string{"bar": bar.Name}
		deployment.Spec.Replicas = bar.Spec.Replicas
		if deployment.CreationTimestamp.IsZero() {
			deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		}
		deployment.Spec.Template.Labels = labels
		if len(deployment.Spec.Template.Spec.Containers) != 1 {
			deployment.Spec.Template.Spec.Containers = make([]corev1.Container, 1)
		}
		deployment.Spec.Template.Spec.Containers[0].Name = "nginx"
		deployment.Spec.Template.Spec.Containers[0].Image = "nginx:1.29"
		return controllerutil.SetControllerReference(&bar, deployment, r.Scheme)
	}); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.prune(ctx, &bar); err != nil {
		return ctrl.Result{}, err
	}

	available := deployment.Status.AvailableReplicas
	if available < *bar.Spec.Replicas {
		return ctrl.Result{}, r.setReady(ctx, &bar, available, metav1.ConditionFalse, "Progressing", "")
	}
	r.Recorder.Event(&bar, corev1.EventTypeNormal, "Synced", fmt.Sprintf("Deployment %s is in sync", deployment.Name))
	return ctrl.Result{}, r.setReady(ctx, &bar, available, metav1.ConditionTrue, "Available", "")
}

// prune deletes Deployments that the Bar had under earlier names.
func (r *BarReconciler) prune(ctx context.Context, bar *samplecontrollerv1alpha1.Bar) error {
	var deployments appsv1.DeploymentList
	if err := r.List(ctx, &deployments, client.InNamespace(bar.Namespace)); err != nil {
		return err
	}
	for i := range deployments.Items {
		deployment := &deployments.Items[i]
		if deployment.Name == bar.Spec.DeploymentName || !metav1.IsControlledBy(deployment, bar) {
			continue
		}
		if err := r.Delete(ctx, deployment); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

func (r *BarReconciler) setReady(ctx context.Context, bar *samplecontrollerv1alpha1.Bar, available int32, status metav1.ConditionStatus, reason, message string) error {
	before := bar.DeepCopy()
	bar.Status.AvailableReplicas = available
	meta.SetStatusCondition(&bar.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: status, Reason: reason, Message: message, ObservedGeneration: bar.Generation,
	})
	return r.Status().Patch(ctx, bar, client.MergeFrom(before))
}

// SetupWithManager sets up the controller with the Manager.
func (r *BarReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.Recorder = mgr.GetEventRecorderFor("bar-controller")
	return ctrl.NewControllerManagedBy(mgr).
		For(&samplecontrollerv1alpha1.Bar{}).
		Owns(&appsv1.Deployment{}).
		Named("bar").
		Complete(r)
}

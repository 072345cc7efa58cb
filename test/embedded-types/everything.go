// Package embedded has a kind with built-in types in it, for controller-gen to write the definition of.
// +groupName=embedded.kaji.test
// +versionName=v1
package embedded

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// EverythingSpec has types that people embed, and some with formats that those do not have.
type EverythingSpec struct {
	Template      corev1.PodTemplateSpec                    `json:"core.v1.PodTemplateSpec"`
	Service       corev1.ServiceSpec                        `json:"core.v1.ServiceSpec"`
	Claim         corev1.PersistentVolumeClaim              `json:"core.v1.PersistentVolumeClaim"`
	Secret        corev1.Secret                             `json:"core.v1.Secret"`
	PodStatus     corev1.PodStatus                          `json:"core.v1.PodStatus"`
	Job           batchv1.JobTemplateSpec                   `json:"batch.v1.JobTemplateSpec"`
	StatefulSet   appsv1.StatefulSetSpec                    `json:"apps.v1.StatefulSetSpec"`
	Strategy      appsv1.DeploymentStrategy                 `json:"apps.v1.DeploymentStrategy"`
	Ingress       networkingv1.IngressSpec                  `json:"networking.v1.IngressSpec"`
	NetworkPolicy networkingv1.NetworkPolicySpec            `json:"networking.v1.NetworkPolicySpec"`
	Autoscaler    autoscalingv2.HorizontalPodAutoscalerSpec `json:"autoscaling.v2.HorizontalPodAutoscalerSpec"`
	Disruption    policyv1.PodDisruptionBudgetSpec          `json:"policy.v1.PodDisruptionBudgetSpec"`
	Role          rbacv1.PolicyRule                         `json:"rbac.v1.PolicyRule"`
	Selector      metav1.LabelSelector                      `json:"meta.v1.LabelSelector"`
}

// Everything is the kind.
// +kubebuilder:object:root=true
type Everything struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              EverythingSpec `json:"spec"`
}

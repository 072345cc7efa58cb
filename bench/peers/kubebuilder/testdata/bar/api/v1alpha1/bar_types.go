package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BarSpec defines the desired state of Bar
type BarSpec struct {
	// deploymentName is the name of the Deployment that this Bar manages.
	// +required
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	DeploymentName string `json:"deploymentName"`

	// replicas is how many copies to run.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	Replicas *int32 `json:"replicas,omitempty"`
}

// BarStatus defines the observed state of Bar.
type BarStatus struct {
	// availableReplicas is how many copies are available.
	// +optional
	AvailableReplicas int32 `json:"availableReplicas,omitempty"`

	// conditions represent the current state of the Bar resource.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Deployment",type=string,JSONPath=`.spec.deploymentName`
// +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=`.spec.replicas`
// +kubebuilder:printcolumn:name="Available",type=integer,JSONPath=`.status.availableReplicas`

// Bar keeps a Deployment of nginx running under a name of your choice.
type Bar struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`
	// +required
	Spec BarSpec `json:"spec"`
	// +optional
	Status BarStatus `json:"status,omitempty,omitzero"`
}

// +kubebuilder:object:root=true

// BarList contains a list of Bar
type BarList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Bar `json:"items"`
}

func init() {
	SchemeBuilder.Register(&Bar{}, &BarList{})
}

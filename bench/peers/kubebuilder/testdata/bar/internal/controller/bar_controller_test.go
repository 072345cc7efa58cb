package controller

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	samplecontrollerv1alpha1 "example.com/bar/api/v1alpha1"
)

var _ = Describe("Bar Controller", func() {
	It("gives a Bar its Deployment, and says how many copies are available", func() {
		ctx := context.Background()
		name := types.NamespacedName{Name: "example", Namespace: "default"}
		bar := &samplecontrollerv1alpha1.Bar{
			ObjectMeta: metav1.ObjectMeta{Name: name.Name, Namespace: name.Namespace},
			Spec:       samplecontrollerv1alpha1.BarSpec{DeploymentName: "web", Replicas: ptr.To[int32](2)},
		}
		Expect(k8sClient.Create(ctx, bar)).To(Succeed())
		reconciler := &BarReconciler{Client: k8sClient, Scheme: k8sClient.Scheme(), Recorder: record.NewFakeRecorder(10)}
		_, err := reconciler.Reconcile(ctx, reconcile.Request{NamespacedName: name})
		Expect(err).NotTo(HaveOccurred())

		// There is nobody who would make Pods: the test says that they are available.
		deployment := &appsv1.Deployment{}
		Expect(k8sClient.Get(ctx, types.NamespacedName{Name: "web", Namespace: "default"}, deployment)).To(Succeed())
		deployment.Status.Replicas, deployment.Status.ReadyReplicas, deployment.Status.AvailableReplicas = 2, 2, 2
		Expect(k8sClient.Status().Update(ctx, deployment)).To(Succeed())
		_, err = reconciler.Reconcile(ctx, reconcile.Request{NamespacedName: name})
		Expect(err).NotTo(HaveOccurred())

		Expect(k8sClient.Get(ctx, name, bar)).To(Succeed())
		Expect(bar.Status.AvailableReplicas).To(Equal(int32(2)))
		Expect(bar.Status.Conditions).To(HaveLen(1))
		Expect(bar.Status.Conditions[0].Status).To(Equal(metav1.ConditionTrue))
	})
})

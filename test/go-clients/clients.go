package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/retry"
)

const namespace = "default"

func typedClient(ctx context.Context, config *rest.Config) error {
	client := kubernetes.NewForConfigOrDie(config)
	deployments := client.AppsV1().Deployments(namespace)
	replicas := int32(2)
	labels := map[string]string{"app": "typed"}
	created, err := deployments.Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "typed"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "nginx:1"}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if created.Generation != 1 || created.Spec.Template.Spec.RestartPolicy != corev1.RestartPolicyAlways {
		return fmt.Errorf("not defaulted as expected: generation %d, restartPolicy %q", created.Generation, created.Spec.Template.Spec.RestartPolicy)
	}
	// Its controller writes its status meanwhile.
	err = retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		current, err := deployments.Get(ctx, "typed", metav1.GetOptions{})
		if err != nil {
			return err
		}
		current.Spec.Template.Spec.Containers[0].Image = "nginx:2"
		_, err = deployments.Update(ctx, current, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return err
	}
	if _, err := deployments.Patch(ctx, "typed", types.StrategicMergePatchType, []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"busybox"}]}}}}`), metav1.PatchOptions{}); err != nil {
		return err
	}
	err = retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		scale, err := deployments.GetScale(ctx, "typed", metav1.GetOptions{})
		if err != nil {
			return err
		}
		scale.Spec.Replicas = 5
		_, err = deployments.UpdateScale(ctx, "typed", scale, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return err
	}
	final, err := deployments.Get(ctx, "typed", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if len(final.Spec.Template.Spec.Containers) != 2 || *final.Spec.Replicas != 5 {
		return fmt.Errorf("patch and scale did not both take effect: %d containers, %d replicas", len(final.Spec.Template.Spec.Containers), *final.Spec.Replicas)
	}
	background := metav1.DeletePropagationBackground
	if err := deployments.Delete(ctx, "typed", metav1.DeleteOptions{PropagationPolicy: &background}); err != nil {
		return err
	}
	if _, err := deployments.Get(ctx, "typed", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("expected NotFound after the deletion, got %v", err)
	}
	return nil
}

func dynamicClient(ctx context.Context, config *rest.Config) error {
	client := dynamic.NewForConfigOrDie(config)
	crds := client.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
	crd := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "lamps.go.kaji.dev"},
		"spec": map[string]any{
			"group": "go.kaji.dev", "scope": "Namespaced",
			"names": map[string]any{"plural": "lamps", "kind": "Lamp"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"subresources": map[string]any{"status": map[string]any{}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "properties": map[string]any{
					"spec":   map[string]any{"type": "object", "properties": map[string]any{"watts": map[string]any{"type": "integer", "maximum": int64(100), "default": int64(7)}}},
					"status": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
				}}},
			}},
		},
	}}
	if _, err := crds.Create(ctx, crd, metav1.CreateOptions{}); err != nil {
		return err
	}
	established := func(ctx context.Context) (bool, error) {
		current, err := crds.Get(ctx, "lamps.go.kaji.dev", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		conditions, _, _ := unstructured.NestedSlice(current.Object, "status", "conditions")
		for _, condition := range conditions {
			if c, ok := condition.(map[string]any); ok && c["type"] == "Established" && c["status"] == "True" {
				return true, nil
			}
		}
		return false, nil
	}
	if err := wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, established); err != nil {
		return fmt.Errorf("the definition was not established: %w", err)
	}
	lamps := client.Resource(schema.GroupVersionResource{Group: "go.kaji.dev", Version: "v1", Resource: "lamps"}).Namespace(namespace)
	lamp := func(name string, spec map[string]any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "go.kaji.dev/v1", "kind": "Lamp", "metadata": map[string]any{"name": name}, "spec": spec}}
	}
	created, err := lamps.Create(ctx, lamp("desk", map[string]any{}), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if watts, _, _ := unstructured.NestedInt64(created.Object, "spec", "watts"); watts != 7 {
		return fmt.Errorf("expected the default of 7 watts, got %d", watts)
	}
	if _, err := lamps.Create(ctx, lamp("sun", map[string]any{"watts": int64(1000)}), metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
		return fmt.Errorf("expected Invalid for 1000 watts, got %v", err)
	}
	created.Object["status"] = map[string]any{"on": true}
	if _, err := lamps.UpdateStatus(ctx, created, metav1.UpdateOptions{}); err != nil {
		return err
	}
	list, err := lamps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	if on, _, _ := unstructured.NestedBool(list.Items[0].Object, "status", "on"); len(list.Items) != 1 || !on {
		return fmt.Errorf("expected one lamp that is on, got %v", list.Items)
	}
	return crds.Delete(ctx, "lamps.go.kaji.dev", metav1.DeleteOptions{})
}

func startInformer(ctx context.Context, client kubernetes.Interface) (cache.SharedIndexInformer, chan string) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps().Informer()
	events := make(chan string, 100)
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { events <- "add " + object.(*corev1.ConfigMap).Name },
		UpdateFunc: func(_, object any) { events <- "update " + object.(*corev1.ConfigMap).Name },
		DeleteFunc: func(object any) {
			if configMap, ok := object.(*corev1.ConfigMap); ok {
				events <- "delete " + configMap.Name
			}
		},
	})
	factory.Start(ctx.Done())
	return informer, events
}

func watchWithInformers(ctx context.Context, config *rest.Config) error {
	client := kubernetes.NewForConfigOrDie(config)
	configMaps := client.CoreV1().ConfigMaps(namespace)
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "watched"}, Data: map[string]string{"k": "1"}}
	if _, err := configMaps.Create(ctx, object, metav1.CreateOptions{}); err != nil {
		return err
	}
	informer, events := startInformer(ctx, client)
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("the cache did not sync")
	}
	object.Data["k"] = "2"
	if _, err := configMaps.Update(ctx, object, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := configMaps.Delete(ctx, "watched", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for _, expected := range []string{"add watched", "update watched", "delete watched"} {
		if err := await(ctx, events, expected); err != nil {
			return err
		}
	}
	return nil
}

// await skips what other objects do.
func await(ctx context.Context, events <-chan string, expected string) error {
	for {
		select {
		case event := <-events:
			if event == expected {
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("never heard of %q", expected)
		}
	}
}

func leaderElection(ctx context.Context, config *rest.Config) error {
	client := kubernetes.NewForConfigOrDie(config)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	led := make(chan string, 2)
	for _, identity := range []string{"first", "second"} {
		candidate, stop := context.WithCancel(ctx)
		defer stop()
		lock := &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "go-clients", Namespace: namespace},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
		}
		go leaderelection.RunOrDie(candidate, leaderelection.LeaderElectionConfig{
			Lock: lock, ReleaseOnCancel: true,
			LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 200 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { led <- identity; time.Sleep(time.Second); stop() },
				OnStoppedLeading: func() {},
			},
		})
	}
	first, second := "", ""
	select {
	case first = <-led:
	case <-ctx.Done():
		return fmt.Errorf("nobody came to lead")
	}
	select {
	case second = <-led:
	case <-ctx.Done():
		return fmt.Errorf("%s led, but nobody took over", first)
	}
	if first == second {
		return fmt.Errorf("%s led twice", first)
	}
	return nil
}

func eventRecorder(ctx context.Context, config *rest.Config) error {
	client := kubernetes.NewForConfigOrDie(config)
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events(namespace)})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "go-clients"})
	about := &corev1.ObjectReference{APIVersion: "v1", Kind: "ConfigMap", Namespace: namespace, Name: "about", UID: "1"}
	for range 3 {
		recorder.Event(about, corev1.EventTypeNormal, "Tried", "something was tried")
	}
	return wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		list, err := client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=about,reason=Tried"})
		return err == nil && len(list.Items) == 1 && list.Items[0].Count == 3, err
	})
}

func serverSideApply(ctx context.Context, config *rest.Config) error {
	configMaps := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps(namespace)
	apply := func(manager string, data map[string]string, force bool) error {
		_, err := configMaps.Apply(ctx, applycorev1.ConfigMap("applied", namespace).WithData(data), metav1.ApplyOptions{FieldManager: manager, Force: force})
		return err
	}
	if err := apply("one", map[string]string{"a": "1", "b": "1"}, false); err != nil {
		return err
	}
	if err := apply("two", map[string]string{"b": "2"}, false); !apierrors.IsConflict(err) {
		return fmt.Errorf("expected a conflict over b, got %v", err)
	}
	if err := apply("two", map[string]string{"b": "2"}, true); err != nil {
		return err
	}
	if err := apply("one", map[string]string{}, false); err != nil {
		return err
	}
	final, err := configMaps.Get(ctx, "applied", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if len(final.Data) != 1 || final.Data["b"] != "2" {
		return fmt.Errorf("expected that only b=2 is left, got %v", final.Data)
	}
	return configMaps.Delete(ctx, "applied", metav1.DeleteOptions{})
}

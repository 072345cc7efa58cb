package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// A copier keeps for every ConfigMap labelled copy=yes a Secret of the same name with its data.
type copier struct{ client.Client }

func (c *copier) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var source corev1.ConfigMap
	if err := c.Get(ctx, request.NamespacedName, &source); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if source.Labels["copy"] != "yes" {
		return ctrl.Result{}, nil
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: source.Name, Namespace: source.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, c.Client, secret, func() error {
		secret.Data = map[string][]byte{}
		for key, value := range source.Data {
			secret.Data[key] = []byte(value)
		}
		return controllerutil.SetControllerReference(&source, secret, c.Scheme())
	})
	return ctrl.Result{}, err
}

func managerAndReconciler(ctx context.Context, config *rest.Config) error {
	log.SetLogger(zap.New(zap.WriteTo(discard{})))
	manager, err := ctrl.NewManager(config, ctrl.Options{Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	if err := ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).Complete(&copier{manager.GetClient()}); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	direct, err := client.New(config, client.Options{})
	if err != nil {
		cancel()
		return err
	}
	err = copies(ctx, direct)
	cancel()
	if endErr := <-ended; err == nil {
		err = endErr
	}
	return err
}

func copies(ctx context.Context, direct client.Client) error {
	source := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "copied", Namespace: namespace, Labels: map[string]string{"copy": "yes"}}, Data: map[string]string{"k": "1"}}
	if err := direct.Create(ctx, source); err != nil {
		return err
	}
	arrives := func(value string) error {
		var secret corev1.Secret
		err := wait.PollUntilContextCancel(ctx, 20*time.Millisecond, true, func(ctx context.Context) (bool, error) {
			err := direct.Get(ctx, client.ObjectKeyFromObject(source), &secret)
			return err == nil && string(secret.Data["k"]) == value && len(secret.OwnerReferences) == 1, client.IgnoreNotFound(err)
		})
		if err != nil {
			return fmt.Errorf("the copy never said %q: %w", value, err)
		}
		return nil
	}
	if err := arrives("1"); err != nil {
		return err
	}
	source.Data["k"] = "2"
	if err := direct.Update(ctx, source); err != nil {
		return err
	}
	if err := arrives("2"); err != nil {
		return err
	}
	return direct.Delete(ctx, source)
}

type discard struct{}

func (discard) Write(bytes []byte) (int, error) { return len(bytes), nil }

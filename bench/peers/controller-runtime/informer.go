package main

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Mirror keeps all Widgets in a cache, without managed fields, as kaji does by default.
func mirror(ctx context.Context, config *rest.Config, scheme *runtime.Scheme, talk *protocol) error {
	widgets, err := cache.New(config, cache.Options{Scheme: scheme, DefaultTransform: cache.TransformStripManagedFields()})
	if err != nil {
		return err
	}
	informer, err := widgets.GetInformer(ctx, &Widget{}, cache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	handler := toolscache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, updated any) {
			widget := updated.(*Widget)
			talk.arrived(widget.Name, widget.Annotations)
		},
	}
	registration, err := informer.AddEventHandler(handler)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- widgets.Start(ctx) }()
	if !toolscache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
		return errors.New("the cache never synced")
	}
	talk.say("synced")
	return <-ended
}

// First makes one request.
func first(ctx context.Context, config *rest.Config, scheme *runtime.Scheme, talk *protocol) error {
	direct, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return err
	}
	if err := direct.Get(ctx, client.ObjectKey{Namespace: "default", Name: "widget-0"}, &Widget{}); err != nil {
		return err
	}
	talk.say("answered")
	<-ctx.Done()
	return nil
}

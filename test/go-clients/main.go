// Command go-clients drives an API server with the clients that Go operators use, unmodified, and fails at the first thing
// that does not work. Usage: go-clients KUBECONFIG
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// A check is one way of using the API.
type check struct {
	name string
	run  func(ctx context.Context, config *rest.Config) error
}

var checks = []check{
	{"typed client, protobuf", typedClient},
	{"dynamic client and a custom kind", dynamicClient},
	{"informers with streaming lists", watchWithInformers},
	{"leader election", leaderElection},
	{"event recorder", eventRecorder},
	{"server-side apply", serverSideApply},
	{"controller-runtime manager", managerAndReconciler},
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	config.QPS, config.Burst = 200, 400
	failed := 0
	for _, check := range checks {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		start := time.Now()
		err := check.run(ctx, rest.CopyConfig(config))
		cancel()
		if err != nil {
			failed++
			fmt.Printf("FAIL %s: %v\n", check.name, err)
			continue
		}
		fmt.Printf("ok   %s (%d ms)\n", check.name, time.Since(start).Milliseconds())
	}
	fmt.Printf("%d passed, %d failed\n", len(checks)-failed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}

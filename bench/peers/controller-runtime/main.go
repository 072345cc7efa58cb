// The work of the benchmarks, done with controller-runtime. ../README.md says how it is asked.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: first | informer | reconcile BARS CONCURRENCY | queue WAITING")
	}
	log.SetLogger(logr.Discard())
	numbers := make([]int, 2)
	for i, text := range args[1:] {
		number, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		numbers[i] = number
	}
	if args[0] == "queue" {
		return cycle(numbers[0])
	}

	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1 // The server limits by itself.
	scheme, err := newScheme()
	if err != nil {
		return err
	}
	talk := newProtocol()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		talk.listen()
		cancel()
	}()
	switch args[0] {
	case "first":
		return first(ctx, config, scheme, talk)
	case "informer":
		return mirror(ctx, config, scheme, talk)
	case "reconcile":
		return operate(ctx, config, scheme, talk, numbers[0], numbers[1])
	}
	return fmt.Errorf("unknown work %q", args[0])
}

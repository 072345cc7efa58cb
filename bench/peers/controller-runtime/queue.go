package main

import (
	"encoding/json"
	"os"
	"strconv"
	"syscall"
	"time"

	"k8s.io/client-go/util/workqueue"
)

const cycles = 1_000_000

// Cycle adds, takes and returns keys, always with so many waiting, and prints how many per second of processor time.
func cycle(waiting int) error {
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	keys := make([]string, waiting)
	for i := range keys {
		keys[i] = "default/bar-" + strconv.Itoa(i)
		queue.Add(keys[i])
	}
	before := cpuSeconds()
	for range cycles {
		key, _ := queue.Get()
		queue.Forget(key)
		queue.Done(key)
		queue.Add(key)
	}
	perSecond := cycles / (cpuSeconds() - before)
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"event": "cycled", "perSecond": perSecond})
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const sentAt = "bench.kaji.dev/sent-at"

// Protocol is the conversation with the benchmark, described in ../README.md.
type protocol struct {
	mutex     sync.Mutex
	out       *json.Encoder
	stamps    map[string]string
	expected  int
	latencies []int64
}

func newProtocol() *protocol {
	return &protocol{out: json.NewEncoder(os.Stdout), stamps: map[string]string{}}
}

func (p *protocol) say(event string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.print(map[string]any{"event": event})
}

// Print needs the mutex.
func (p *protocol) print(line map[string]any) {
	if err := p.out.Encode(line); err != nil {
		panic(err)
	}
}

// Arrived notes how long the change of an object took to come here, the first time that it is seen.
func (p *protocol) arrived(key string, annotations map[string]string) {
	stamp, found := annotations[sentAt]
	if !found {
		return
	}
	now := time.Now().UnixMilli()
	sent, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		panic(err)
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.stamps[key] == stamp {
		return
	}
	p.stamps[key] = stamp
	p.latencies = append(p.latencies, now-sent)
	if len(p.latencies) == p.expected {
		p.print(map[string]any{"event": "arrived"})
	}
}

// Listen obeys the benchmark until it hangs up.
func (p *protocol) listen() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		p.obey(lines.Text())
	}
}

func (p *protocol) obey(line string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if count, found := strings.CutPrefix(line, "expect "); found {
		expected, err := strconv.Atoi(count)
		if err != nil {
			panic(err)
		}
		p.expected, p.latencies = expected, make([]int64, 0, expected)
		p.print(map[string]any{"event": "expecting"})
	} else if line == "latencies" {
		p.print(map[string]any{"event": "latencies", "ms": p.latencies})
	}
}

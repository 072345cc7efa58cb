package main

import (
	"fmt"
	"iter"
	"maps"
	"math/rand"
	"slices"
)

// randomSequence writes a Widget by a few managers who keep changing their minds: either in several versions,
// or with lists that have items twice, which cannot be converted.
func randomSequence(random *rand.Rand, name string) *sequence {
	g := generator{random, random.Intn(2) == 0}
	result := &sequence{Name: name, Kind: "Widget"}
	for range 4 + random.Intn(5) {
		result.Steps = append(result.Steps, g.step(len(result.Steps) == 0))
	}
	return result
}

type generator struct {
	*rand.Rand
	versions bool
}

func (g generator) step(first bool) *step {
	result := &step{Manager: string(rune('a' + g.Intn(3))), APIVersion: "example.com/v1"}
	if g.versions && g.chance(0.3) {
		result.APIVersion = []string{"example.com/v1beta1", "example.com/v2"}[g.Intn(2)]
	}
	body := g.body(result.APIVersion)
	switch {
	case first && g.chance(0.5):
		result.Next = body
	case !first && g.chance(0.15):
		result.Subresource = "status"
		delete(body, "spec")
		body["status"] = g.status()
		if g.chance(0.5) {
			result.Change = object{"status": body["status"]}
		} else {
			result.Apply, result.Force = body, g.chance(0.7)
		}
	case !first && g.chance(0.3):
		result.Change = body
		if spec, ok := body["spec"].(object); ok && !g.versions && g.chance(0.2) {
			spec["tags"] = []any{"a", "b", "a"}
		}
		if g.chance(0.05) {
			body["metadata"].(object)["managedFields"] = []any{}
		}
	case !first && g.chance(0.1):
		result.Next = body
	default:
		result.Apply, result.Force = body, g.chance(0.7)
	}
	return result
}

func (g generator) body(apiVersion string) object {
	metadata := object{"name": "w", "namespace": "default"}
	if g.chance(0.3) {
		metadata["labels"] = g.settings()
	}
	if g.chance(0.15) {
		metadata["finalizers"] = g.set("x/a", "x/b")
	}
	body := object{"metadata": metadata}
	if g.chance(0.95) {
		spec := g.spec()
		if size, ok := spec["size"]; ok && apiVersion == "example.com/v2" {
			delete(spec, "size")
			spec["capacity"] = size
		}
		body["spec"] = spec
	}
	if g.chance(0.2) {
		body["status"] = g.status()
	}
	return body
}

func (g generator) spec() object {
	return g.some(object{
		"size":       g.Intn(3),
		"title":      g.word(),
		"enabled":    g.chance(0.5),
		"target":     []any{g.Intn(2), "http"}[g.Intn(2)],
		"nested":     g.some(object{"a": g.word(), "deep": g.some(object{"b": g.word(), "c": g.Intn(2)})}),
		"point":      g.some(object{"x": g.Intn(2), "y": g.Intn(2)}),
		"settings":   g.settings(),
		"limits":     g.settings(),
		"pools":      g.some(object{"p": g.pool(), "q": g.pool()}),
		"tags":       g.set("a", "b", "c"),
		"codes":      g.set(1, 2, 10),
		"steps":      g.set("one", "two"),
		"containers": g.containers(),
		"free":       g.some(object{"known": g.set("k", "l"), "other": g.value(2)}),
		"anything":   g.value(2),
	})
}

func (g generator) status() object {
	return g.some(object{
		"phase":    g.word(),
		"observed": g.Intn(3),
		"conditions": g.set(
			object{"type": "Ready", "status": g.word()},
			g.some(object{"type": "Live", "status": g.word(), "reason": g.word()}, "type"),
		),
	})
}

func (g generator) containers() any {
	var all []any
	for _, name := range []string{"one", "two", "three"} {
		all = append(all, g.some(object{
			"name":  name,
			"image": g.word(),
			"args":  g.set("x", "y"),
			"env":   g.settings(),
			"ports": g.set(
				object{"port": 80, "host": g.word()},
				object{"port": 80, "protocol": "UDP"},
				g.some(object{"port": 443, "protocol": "TCP", "host": g.word()}, "port"),
			),
		}, "name"))
	}
	return g.set(all...)
}

func (g generator) pool() object {
	return g.some(object{"min": g.Intn(2), "zones": g.set("z1", "z2")})
}

func (g generator) settings() object {
	return g.some(object{"k": g.word(), "l": g.word(), "m": g.word()})
}

// value is anything at all.
func (g generator) value(depth int) any {
	if depth == 0 || g.chance(0.4) {
		return []any{g.Intn(3), g.word(), g.chance(0.5), nil}[g.Intn(4)]
	}
	if g.chance(0.3) {
		return g.set(g.word(), object{"a": 1})
	}
	return g.some(object{"u": g.value(depth - 1), "v": g.value(depth - 1)})
}

// some keeps a part of the fields, and those that must be there. Now and then one is null.
func (g generator) some(fields object, required ...string) object {
	kept := object{}
	share := []float32{0.2, 0.5, 0.8}[g.Intn(3)]
	for name, value := range sorted(fields) {
		if g.chance(share) {
			kept[name] = value
			if g.chance(0.03) {
				kept[name] = nil
			}
		}
	}
	for _, name := range required {
		kept[name] = fields[name]
	}
	return kept
}

// set keeps a part of the items, in some order.
func (g generator) set(items ...any) any {
	if g.chance(0.03) {
		return nil
	}
	kept := []any{}
	for _, n := range g.Perm(len(items)) {
		if g.chance(0.6) {
			kept = append(kept, items[n])
		}
	}
	return kept
}

func (g generator) word() string { return fmt.Sprintf("w%d", g.Intn(3)) }

func (g generator) chance(p float32) bool { return g.Float32() < p }

// sorted ranges over fields in an order that does not change from run to run.
func sorted(fields object) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if !yield(name, fields[name]) {
				return
			}
		}
	}
}

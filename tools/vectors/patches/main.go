// Command patches writes the test vectors for packages/core's patches: what Kubernetes' own libraries make of each case.
//
//	go run ./patches ../../packages/core/testdata/patches.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"k8s.io/apimachinery/pkg/util/mergepatch"
)

// A vector is a case and its outcome. What a case does not need is absent.
type vector struct {
	// Do names the function under test.
	Do        string          `json:"do"`
	Name      string          `json:"name"`
	Type      string          `json:"type,omitempty"`
	Original  json.RawMessage `json:"original,omitempty"`
	Modified  json.RawMessage `json:"modified,omitempty"`
	Current   json.RawMessage `json:"current,omitempty"`
	Patch     json.RawMessage `json:"patch,omitempty"`
	Overwrite bool            `json:"overwrite,omitempty"`

	Want  json.RawMessage `json:"want,omitempty"`
	Error string          `json:"error,omitempty"`
	// Conflict stands for an error whose text holds YAML, which we do not write.
	Conflict bool `json:"conflict,omitempty"`
	// Panics marks a case on which the library crashes: it says nothing about the outcome, but that there must be an orderly one.
	Panics bool `json:"panics,omitempty"`
}

// Maps are iterated in random order, so an outcome counts only if it is always the same.
const repetitions = 40

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: patches FILE")
	}
	var vectors []vector
	for _, cases := range [][]vector{jsonPatchCases, mergePatchCases, strategicMergeCases, orderCases, twoWayCases, threeWayCases} {
		vectors = append(vectors, cases...)
	}
	lines := make([][]byte, len(vectors))
	for i := range vectors {
		v := &vectors[i]
		compactInputs(v)
		settle(v)
		lines[i] = encode(v)
	}
	out := bytes.NewBufferString("{\n\"schema\": {\n")
	out.Write(bytes.Join(schemaLines(), []byte(",\n")))
	out.WriteString("\n},\n\"vectors\": [\n")
	out.Write(bytes.Join(lines, []byte(",\n")))
	out.WriteString("\n]\n}\n")
	if err := os.WriteFile(os.Args[1], out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d vectors\n", len(vectors))
}

// settle runs a case and writes its outcome into it.
func settle(v *vector) {
	for i := range repetitions {
		outcome := *v
		outcome.Want, outcome.Error, outcome.Conflict, outcome.Panics = nil, "", false, false
		run(&outcome)
		if i > 0 && !bytes.Equal(encode(&outcome), encode(v)) {
			log.Fatalf("%s: %s: not deterministic:\n%s\n%s", v.Do, v.Name, encode(&outcome), encode(v))
		}
		*v = outcome
	}
}

func run(v *vector) {
	defer func() {
		if recover() != nil {
			v.Panics = true
		}
	}()
	function, ok := functions[v.Do]
	if !ok {
		log.Fatalf("%s: no such function", v.Do)
	}
	want, err := function(v)
	switch {
	case mergepatch.IsConflict(err):
		v.Conflict = true
	case err != nil:
		v.Error = err.Error()
	default:
		v.Want = want
	}
}

func compactInputs(v *vector) {
	for _, input := range []*json.RawMessage{&v.Original, &v.Modified, &v.Current, &v.Patch} {
		if *input == nil {
			continue
		}
		compact := &bytes.Buffer{}
		if err := json.Compact(compact, *input); err != nil {
			log.Fatalf("%s: %s: %v", v.Do, v.Name, err)
		}
		*input = compact.Bytes()
	}
}

func encode(v *vector) []byte {
	buffer := &bytes.Buffer{}
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		log.Fatalf("%s: %s: %v", v.Do, v.Name, err)
	}
	return bytes.TrimSpace(buffer.Bytes())
}

func raw(text string) json.RawMessage {
	return json.RawMessage(text)
}

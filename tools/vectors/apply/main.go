// Prints sequences of updates and applies with what the real field manager makes of them, as JSON, for the tests of @kaji/apiserver.
//
//	go run ./apply [SEED COUNT] > ../../packages/apiserver/testdata/apply.json
//
// The sequences are those of scenarios.yaml and COUNT random ones.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand"
	"os"
	"slices"
	"strconv"

	"sigs.k8s.io/yaml"
)

//go:embed scenarios.yaml
var scenarios []byte

type vectors struct {
	Kinds     map[string]*kind `json:"kinds"`
	Sequences []*sequence      `json:"sequences"`
	Scales    []*scale         `json:"scales"`
	Fields    []fields         `json:"fields"`
}

func main() {
	file, err := run(os.Args[1:])
	if err == nil {
		err = file.write(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) (*vectors, error) {
	seed, count := int64(1), 40
	if len(args) == 2 {
		var err error
		if seed, err = strconv.ParseInt(args[0], 10, 64); err != nil {
			return nil, err
		}
		if count, err = strconv.Atoi(args[1]); err != nil {
			return nil, err
		}
	}
	kinds, err := allKinds()
	if err != nil {
		return nil, err
	}
	var sequences []*sequence
	if err := yaml.UnmarshalStrict(scenarios, &sequences); err != nil {
		return nil, err
	}
	for _, each := range sequences {
		if err := each.play(kinds); err != nil {
			return nil, fmt.Errorf("%s: %w", each.Name, err)
		}
	}
	for n := 0; count > 0; n++ {
		each, err := settled(kinds, seed+int64(n))
		if err != nil {
			return nil, err
		}
		if each != nil {
			sequences = append(sequences, each)
			count--
		}
	}
	scales, err := allScales()
	if err != nil {
		return nil, err
	}
	fields, err := allFields()
	return &vectors{Kinds: kinds, Sequences: sequences, Scales: scales, Fields: fields}, err
}

// write puts each kind, sequence, scale and set on a line of its own, so that changes can be seen.
func (v *vectors) write(out io.Writer) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var parts struct {
		Kinds                     map[string]json.RawMessage
		Sequences, Scales, Fields []json.RawMessage
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	var kinds []json.RawMessage
	for _, name := range slices.Sorted(maps.Keys(parts.Kinds)) {
		kinds = append(kinds, fmt.Appendf(nil, "%q:%s", name, parts.Kinds[name]))
	}
	_, err = fmt.Fprintf(out, "{\"kinds\":{\n%s\n},\"sequences\":[\n%s\n],\"scales\":[\n%s\n],\"fields\":[\n%s\n]}\n",
		lines(kinds), lines(parts.Sequences), lines(parts.Scales), lines(parts.Fields))
	return err
}

func lines(parts []json.RawMessage) []byte {
	var joined [][]byte
	for _, part := range parts {
		joined = append(joined, part)
	}
	return bytes.Join(joined, []byte(",\n"))
}

// settled plays a random sequence. Where versions disagree about what is atomic, the result of pruning depends on
// the order in which Go happens to visit them: sequences that do not always end the same are left out.
func settled(kinds map[string]*kind, seed int64) (*sequence, error) {
	var result *sequence
	var ends []byte
	for range 6 {
		result = randomSequence(rand.New(rand.NewSource(seed)), fmt.Sprintf("random %d", seed))
		if err := result.play(kinds); err != nil {
			return nil, fmt.Errorf("%s: %w", result.Name, err)
		}
		data, err := json.Marshal(result)
		if err != nil {
			return nil, err
		}
		if ends != nil && !bytes.Equal(ends, data) {
			return nil, nil
		}
		ends = data
	}
	return result, nil
}

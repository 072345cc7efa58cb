// Command custom writes what Go makes of regular expressions, string formats and JSON paths, as JSON that the tests of
// packages/apiserver read. Its output depends on nothing but its own inputs and the versions in go.mod.
//
//	go run ./custom [DIRECTORY]
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	directory := filepath.Join("..", "..", "packages", "apiserver", "testdata")
	if len(os.Args) > 1 {
		directory = os.Args[1]
	}
	must(os.MkdirAll(directory, 0o755))
	write(directory, "patterns", patterns())
	write(directory, "formats", formats())
	write(directory, "json-paths", jsonPaths())
}

// joined makes texts out of a few tokens each, always the same ones.
func joined(tokens []string, count, longest int) []string {
	random := rand.New(rand.NewSource(1))
	texts := []string{}
	for range count {
		text := ""
		for range 1 + random.Intn(longest) {
			text += tokens[random.Intn(len(tokens))]
		}
		texts = append(texts, text)
	}
	return texts
}

// bits has a 1 for each text that passes, and a 0 for each other.
func bits(texts []string, passes func(string) bool) string {
	var out strings.Builder
	for _, text := range texts {
		if passes(text) {
			out.WriteByte('1')
		} else {
			out.WriteByte('0')
		}
	}
	return out.String()
}

// write puts one vector on each line, so that a change of one shows as one line.
func write[T any](directory, name string, vectors []T) {
	var out bytes.Buffer
	out.WriteString("[\n")
	for i, vector := range vectors {
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		must(encoder.Encode(vector))
		out.WriteString("  ")
		out.Write(bytes.TrimSpace(line.Bytes()))
		if i < len(vectors)-1 {
			out.WriteString(",")
		}
		out.WriteString("\n")
	}
	out.WriteString("]\n")
	must(os.WriteFile(filepath.Join(directory, name+".json"), out.Bytes(), 0o644))
	fmt.Printf("%s: %d\n", name, len(vectors))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

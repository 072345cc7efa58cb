package main

import (
	"encoding/json"
	"regexp"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/util/jsonpath"
)

type jsonPathVector struct {
	Path string `json:"path"`
	// Outcome is one of "unreadable", "nothing" and "found".
	Outcome string `json:"outcome"`
	Found   []any  `json:"found,omitempty"`
	// Object is what the paths of all vectors are followed in.
	Object json.RawMessage `json:"object,omitempty"`
}

const pathObject = `{"spec":{"a":"str","b":{"a":1,"b":[1,2,3]},"list":[{"name":"x","n":1,"ok":true},{"name":"y","n":2},{"n":3.5}],"x.y":"dotted","items":[],"nul":null},"a":{"b":{"a":"deep"}},"list":[10,20,30],"items":[[1],[2,3]]}`

var pathTokens = []string{
	".spec", ".a", ".b", ".list", ".items", ".nul", "[0]", "[1]", "[-1]", "[5]", "[*]", "[:]", "[0:1]", "[1:]", "[:-1]", "[0:2:2]", "['a']", "['a.b']", "[\"a\"]", "[?(@.name==\"x\")]", "[?(@.n>1)]", "[?(@.n==1)]", "[?(@.name)]", "[?(@.name!='x')].n",
	"[?(@.n<=2)].name", "['a','b']", "[0,1]", ".", "$", "@", " ", "\\.", ".x\\.y", "]", "[", "5", "true", "'q'", "-", "[a]", "[?(", "[?(@.ok==true)]", ".name", ".n",
}

// jsonPaths leaves out what comes in no particular order.
func jsonPaths() []jsonPathVector {
	var object map[string]any
	must(utiljson.Unmarshal([]byte(pathObject), &object))
	vectors := []jsonPathVector{{Path: ".spec.a", Outcome: "found", Found: []any{"str"}, Object: json.RawMessage(pathObject)}}
	unordered := regexp.MustCompile(`\.\*|\.\.`)
	for _, path := range joined(pathTokens, 600, 4) {
		if !unordered.MatchString(path) {
			vectors = append(vectors, follow(path, object))
		}
	}
	return vectors
}

func follow(text string, object map[string]any) jsonPathVector {
	path := jsonpath.New("path").AllowMissingKeys(true)
	if err := path.Parse("{" + text + "}"); err != nil {
		return jsonPathVector{Path: text, Outcome: "unreadable"}
	}
	results, err := path.FindResults(object)
	if err != nil || len(results) == 0 || len(results[0]) == 0 {
		return jsonPathVector{Path: text, Outcome: "nothing"}
	}
	found := []any{}
	for _, value := range results[0] {
		found = append(found, value.Interface())
	}
	return jsonPathVector{Path: text, Outcome: "found", Found: found}
}

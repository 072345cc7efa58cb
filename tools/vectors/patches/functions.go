package main

import (
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

var functions = map[string]func(*vector) ([]byte, error){
	"applyJsonPatch": func(v *vector) ([]byte, error) {
		patch, err := jsonpatch.DecodePatch(v.Patch)
		if err != nil {
			return nil, err
		}
		return patch.Apply(v.Original)
	},
	"applyMergePatch": func(v *vector) ([]byte, error) {
		return jsonpatch.MergePatch(v.Original, v.Patch)
	},
	"createMergePatch": func(v *vector) ([]byte, error) {
		return jsonpatch.CreateMergePatch(v.Original, v.Modified)
	},
	"createThreeWayJsonMergePatch": func(v *vector) ([]byte, error) {
		return jsonmergepatch.CreateThreeWayJSONMergePatch(v.Original, v.Modified, v.Current)
	},
	"applyStrategicMergePatch": func(v *vector) ([]byte, error) {
		return strategicpatch.StrategicMergePatch(v.Original, v.Patch, roots[v.Type])
	},
	"createTwoWayMergePatch": func(v *vector) ([]byte, error) {
		return strategicpatch.CreateTwoWayMergePatch(v.Original, v.Modified, roots[v.Type])
	},
	"createThreeWayMergePatch": func(v *vector) ([]byte, error) {
		schema, err := strategicpatch.NewPatchMetaFromStruct(roots[v.Type])
		if err != nil {
			return nil, err
		}
		return strategicpatch.CreateThreeWayMergePatch(v.Original, v.Modified, v.Current, schema, v.Overwrite)
	},
}

func jsonPatch(name, original, patch string) vector {
	return vector{Do: "applyJsonPatch", Name: name, Original: raw(original), Patch: raw(patch)}
}

func mergePatch(name, original, patch string) vector {
	return vector{Do: "applyMergePatch", Name: name, Original: raw(original), Patch: raw(patch)}
}

func createMerge(name, original, modified string) vector {
	return vector{Do: "createMergePatch", Name: name, Original: raw(original), Modified: raw(modified)}
}

func threeWayMerge(name, original, modified, current string) vector {
	return vector{Do: "createThreeWayJsonMergePatch", Name: name, Original: raw(original), Modified: raw(modified), Current: raw(current)}
}

func strategic(name, kind, original, patch string) vector {
	return vector{Do: "applyStrategicMergePatch", Name: name, Type: kind, Original: raw(original), Patch: raw(patch)}
}

func twoWay(name, kind, original, modified string) vector {
	return vector{Do: "createTwoWayMergePatch", Name: name, Type: kind, Original: raw(original), Modified: raw(modified)}
}

func threeWay(name, kind, original, modified, current string) vector {
	return vector{
		Do: "createThreeWayMergePatch", Name: name, Type: kind, Overwrite: true,
		Original: raw(original), Modified: raw(modified), Current: raw(current),
	}
}

func cautious(name, kind, original, modified, current string) vector {
	v := threeWay(name, kind, original, modified, current)
	v.Overwrite = false
	return v
}

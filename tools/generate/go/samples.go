package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type sample struct {
	Group    string `json:"group"`
	Version  string `json:"version"`
	Kind     string `json:"kind"`
	Protobuf []byte `json:"protobuf"`
	JSON     string `json:"json"`
}

// dumpSamples makes objects of every kind in which some fields are absent, some present with their zero value and some filled: what the
// published round-trip data, in which every field is filled, leaves out. The JSON is what Go writes after reading the protobuf.
func dumpSamples(seed int64, count int) ([]sample, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	kinds := []schema.GroupVersionKind{}
	for kind := range scheme.AllKnownTypes() {
		if kind.Version != runtime.APIVersionInternal {
			kinds = append(kinds, kind)
		}
	}
	slices.SortFunc(kinds, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	filler := &filler{random: rand.New(rand.NewSource(seed))}
	samples := []sample{}
	for _, kind := range kinds {
		for i := range count {
			made, err := makeSample(scheme, kind, filler, i)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kind, err)
			}
			if made != nil {
				samples = append(samples, *made)
			}
		}
	}
	return samples, nil
}

// makeSample answers nil for a kind that has no protobuf form. The first sample of a kind is its zero value.
func makeSample(scheme *runtime.Scheme, kind schema.GroupVersionKind, filler *filler, index int) (*sample, error) {
	object, err := scheme.New(kind)
	if err != nil {
		return nil, err
	}
	if _, ok := object.(runtime.ProtobufMarshaller); !ok {
		return nil, nil
	}
	if index > 0 {
		filler.fill(reflect.ValueOf(object).Elem(), 0)
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	serializer := protobuf.NewSerializer(scheme, scheme)
	var encoded bytes.Buffer
	if err := serializer.Encode(object, &encoded); err != nil {
		return nil, err
	}
	decoded, _, err := serializer.Decode(encoded.Bytes(), &kind, nil)
	if err != nil {
		return nil, err
	}
	decoded.GetObjectKind().SetGroupVersionKind(kind)
	text, err := json.Marshal(decoded)
	if err != nil {
		return nil, err
	}
	return &sample{kind.Group, kind.Version, kind.Kind, encoded.Bytes(), string(text)}, nil
}

// filler sets about half of what it meets, the other half keeps its zero value.
type filler struct {
	random *rand.Rand
}

const maxDepth = 9

func (f *filler) fill(value reflect.Value, depth int) {
	if f.fillSpecial(value) {
		return
	}
	switch value.Kind() {
	case reflect.Bool:
		value.SetBool(f.chance())
	case reflect.String:
		value.SetString(f.text())
	case reflect.Int32:
		value.SetInt(int64(int32(f.integer())))
	case reflect.Int64:
		value.SetInt(f.integer())
	case reflect.Float64:
		value.SetFloat(f.random.NormFloat64())
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		if f.chance() {
			f.fill(value.Elem(), depth)
		}
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), f.random.Intn(3), 3))
		for i := range value.Len() {
			f.fill(value.Index(i), depth+1)
		}
	case reflect.Map:
		f.fillMap(value, depth)
	case reflect.Struct:
		for i := range value.NumField() {
			if value.Field(i).CanSet() && depth < maxDepth && f.chance() {
				f.fill(value.Field(i), depth+1)
			}
		}
	case reflect.Uint8:
		value.SetUint(uint64(f.random.Intn(256)))
	}
}

func (f *filler) fillMap(value reflect.Value, depth int) {
	value.Set(reflect.MakeMap(value.Type()))
	for range f.random.Intn(3) {
		key, item := reflect.New(value.Type().Key()).Elem(), reflect.New(value.Type().Elem()).Elem()
		key.SetString(f.text())
		if f.chance() {
			f.fill(item, depth+1)
		}
		value.SetMapIndex(key, item)
	}
}

// fillSpecial sets the types whose fields may not be set at random; it answers false for all others.
func (f *filler) fillSpecial(value reflect.Value) bool {
	switch value.Interface().(type) {
	case metav1.Time:
		value.Set(reflect.ValueOf(metav1.Unix(f.random.Int63n(1<<33), 0)))
	case metav1.MicroTime:
		value.Set(reflect.ValueOf(metav1.NewMicroTime(time.Unix(f.random.Int63n(1<<33), f.random.Int63n(1e9)))))
	case resource.Quantity:
		value.Set(reflect.ValueOf(resource.MustParse([]string{"0", "100m", "1500", "2Gi", "1e3", "-3"}[f.random.Intn(6)])))
	case intstr.IntOrString:
		value.Set(reflect.ValueOf([]intstr.IntOrString{intstr.FromInt32(int32(f.integer())), intstr.FromString(f.text())}[f.random.Intn(2)]))
	case runtime.RawExtension:
		value.Set(reflect.ValueOf(runtime.RawExtension{Raw: f.rawJSON()}))
	case metav1.FieldsV1:
		value.Set(reflect.ValueOf(*metav1.NewFieldsV1(string(f.rawJSON()))))
	case apiextensionsv1.JSON:
		value.Set(reflect.ValueOf(apiextensionsv1.JSON{Raw: f.rawJSON()}))
	default:
		return false
	}
	return true
}

func (f *filler) chance() bool {
	return f.random.Intn(2) == 0
}

func (f *filler) integer() int64 {
	return []int64{0, 1, -1, 1 << 31, 1 << 52, 1 << 53, 1<<53 + 1, -1 << 63, 1<<63 - 1, f.random.Int63()}[f.random.Intn(10)]
}

func (f *filler) text() string {
	return []string{"", "a", "__proto__", "grüße 🚢", strings.Repeat("long ", 30), "constructor", "nginx:1.27"}[f.random.Intn(7)]
}

func (f *filler) rawJSON() []byte {
	return []byte([]string{`{"f:spec":{".":{}}}`, `{"n":9007199254740993}`, `{"__proto__":{"a":1}}`, `{}`}[f.random.Intn(4)])
}

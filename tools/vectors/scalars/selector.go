package main

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type selectorVector struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
	// String is the canonical form.
	String string `json:"string"`
	// Matches has a 1 for each set in the first vector that is selected, and a 0 for each other.
	Matches string `json:"matches,omitempty"`
	// Sets are what is selected from.
	Sets []map[string]string `json:"sets,omitempty"`
}

var labelSets = []map[string]string{
	{},
	{"a": ""},
	{"a": "b"},
	{"a": "c", "x": "1"},
	{"a": "b", "b": "c"},
	{"x": "10"},
	{"x": "-3"},
	{"x": "ten"},
	{"x": "9223372036854775807"},
	{"x": "9223372036854775808"},
	{"in": "in"},
	{"notin": "notin", "app.kubernetes.io/name": "web"},
	{"constructor": "b", "__proto__": "b"},
}

var labelTexts = []string{
	"", " ", "\t\n", "a", " a ", "!a", "! a", "a=b", "a==b", "a!=b", "a = b", "a= b ,b=c", "a=", "a==", "a!=", "a=,b=c", "b=c,a=b", "a,!b", "a=b,a=c", "a!=b,a!=c", "x,a,b",
	"a in (b)", "a in (b,c)", "a in (c,b)", "a in (b,b)", "a notin (b)", "a notin (b,c)", "a in ()", "a in (,)", "a in (,,)", "a in (b,)", "a in (,b)", "a in (b,,c)", "a notin ()", "a in(b)", "a in ( b , c )",
	"in", "in in (in)", "notin notin (notin)", "in=in", "!in", "in,notin", "a in (in,notin)", "a=in", "a=notin",
	"x>1", "x<1", "x > 1", "x>-4", "x<11", "x>9223372036854775806", "x>=1", "x>+1", "x>", "x<", "x>a", "x>1,x<20", "x>9223372036854775808", "x>1.5", "x gt 1",
	"app.kubernetes.io/name=web", "app.kubernetes.io/name in (web,db)", "constructor=b", "__proto__=b", "toString", "!toString",
	"a=b,", ",a", ",", "a,,b", "a b", "a b c", "a=b=c", "a==b==c", "a===b", "a=!b", "a!b", "a!", "!", "!!a", "!a=b", "!a in (b)", "=", "==b", "=b", "(", ")", "a(", "a in", "a in b", "a in (", "a in (b", "a in (b,", "a in (b c)", "a in (b=c)", "a in (=)", "a in ((b))",
	"a in (b))", "a notin", "a notin b", "a=(b)", "a=)", "a,b in (c),", "a=b c", "a>b<c", "<", ">1",
	"a$", "a=$", "a=b$,c", "a=-b", "-a=b", "a-=b", "a/b/c=d", "/b=c", "a/=c", "A/b=c", "a_b/c=d", "é=b", "a=é", "a in (é,$)", "a=\"b\"", "a='b'", "a\\=b",
	strings.Repeat("a", 63), strings.Repeat("a", 64), "a=" + strings.Repeat("b", 63), "a=" + strings.Repeat("b", 64), strings.Repeat("a", 253) + "/b", strings.Repeat("a", 254) + "/b",
	"a\x00b", "a=b\x00,b=c", "a=b \x00,b=c", "\x00a",
}

func labelSelectors() []selectorVector {
	vectors := []selectorVector{}
	for _, s := range labelTexts {
		selector, err := labels.Parse(s)
		if err != nil {
			vectors = append(vectors, selectorVector{Text: s, Error: text(err)})
			continue
		}
		vector := selectorVector{Text: s, String: selector.String()}
		for _, set := range labelSets {
			vector.Matches += digit(selector.Matches(labels.Set(set)))
		}
		vectors = append(vectors, vector)
	}
	vectors[0].Sets = labelSets
	return vectors
}

type selectorObjectVector struct {
	Selector *metav1.LabelSelector `json:"selector"`
	Error    string                `json:"error,omitempty"`
	String   string                `json:"string"`
	Matches  string                `json:"matches,omitempty"`
	// Invalid is what validation says of it at spec.selector.
	Invalid []string            `json:"invalid,omitempty"`
	Sets    []map[string]string `json:"sets,omitempty"`
}

func labelSelectorObjects() []selectorObjectVector {
	expression := func(key, operator string, values ...string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: metav1.LabelSelectorOperator(operator), Values: values}}}
	}
	match := func(key, value string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}
	}
	both := expression("b", "Exists")
	both.MatchLabels = map[string]string{"a": "b"}
	several := expression("x", "In", "1", "10")
	several.MatchExpressions = append(several.MatchExpressions, expression("a", "NotIn", "b").MatchExpressions...)
	selectors := []*metav1.LabelSelector{
		nil, {}, match("a", "b"), match("a", ""), {MatchLabels: map[string]string{"b": "c", "a": "b"}}, both, several,
		expression("a", "In", "b", "c"), expression("a", "In", "c", "b"), expression("a", "NotIn", "b"), expression("a", "Exists"), expression("a", "DoesNotExist"),
		expression("a", "In"), expression("a", "NotIn"), expression("a", "Exists", "b"), expression("a", "DoesNotExist", "b", "c"),
		expression("a", "Gt", "1"), expression("a", ""), expression("a", "in", "b"), expression("a", "a\"b\x7f", "b"),
		expression("", "Exists"), expression("a b", "Exists"), expression("a/b/c", "In", "b"), expression("a", "In", "$", "b", "é"), expression("-", "In"),
		match("a b", "c"), match("a", "c d"), match("", ""), match("constructor", "b"), match("a", strings.Repeat("b", 64)),
	}
	vectors := []selectorObjectVector{}
	for _, s := range selectors {
		vector := selectorObjectVector{Selector: s}
		for _, err := range validation.ValidateLabelSelector(s, validation.LabelSelectorValidationOptions{}, field.NewPath("spec", "selector")) {
			vector.Invalid = append(vector.Invalid, err.Error())
		}
		if selector, err := metav1.LabelSelectorAsSelector(s); err != nil {
			vector.Error = text(err)
		} else {
			vector.String = selector.String()
			for _, set := range labelSets {
				vector.Matches += digit(selector.Matches(labels.Set(set)))
			}
		}
		vectors = append(vectors, vector)
	}
	vectors[0].Sets = labelSets
	return vectors
}

var fieldSets = []map[string]string{
	{},
	{"metadata.name": "web"},
	{"metadata.name": "web", "metadata.namespace": "default"},
	{"spec.nodeName": "", "status.phase": "Running"},
	{"a": "b,c"},
	{"a": "b=c"},
	{"a": "b\\c"},
	{"a": "!"},
}

var fieldTexts = []string{
	"", ",", ",,", "=", "!=", "==", "metadata.name=web", "metadata.name==web", "metadata.name!=web", "metadata.name=", "spec.nodeName=", "spec.nodeName!=", "status.phase=Running,metadata.name=web", "metadata.name=web,metadata.namespace=default",
	"metadata.namespace=default,metadata.name=web", "a=b,", ",a=b", "a=b,,c=d", " a=b", "a = b", "a=b\\,c", "a=b\\=c", "a=b\\\\c", "a=\\,", "a!=b\\,c", "a=!", "a!=!", "a=!b", "!a=b", "a!b=c", "=b", "!=b", "==b", "é=ü", "a=日本",
	"a", "a,b", "!a", "a!", "a in (b)", "a>b", "a\\=b", "a\\,b=c", "a=b=c", "a===b", "a==b==c", "a!==b", "a=b\\", "a=b\\d", "a=b\\é", "a=b\\,c=d", "a=b\\\\,c=d", "a=b\\\\\\,c", "b=2,a=1", "a=1,a=2", "a=1,a!=1",
	"z\U0001F600=1,z\uFF61=2",
}

func fieldSelectors() []selectorVector {
	vectors := []selectorVector{}
	for _, s := range fieldTexts {
		selector, err := fields.ParseSelector(s)
		if err != nil {
			vectors = append(vectors, selectorVector{Text: s, Error: text(err)})
			continue
		}
		vector := selectorVector{Text: s, String: selector.String()}
		for _, set := range fieldSets {
			vector.Matches += digit(selector.Matches(fields.Set(set)))
		}
		vectors = append(vectors, vector)
	}
	vectors[0].Sets = fieldSets
	return vectors
}

func digit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

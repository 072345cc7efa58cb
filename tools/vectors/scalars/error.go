package main

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type fieldErrorVector struct {
	Call  string `json:"call"`
	Args  []any  `json:"args"`
	Type  string `json:"type"`
	Field string `json:"field"`
	Body  string `json:"body"`
}

func fieldErrors() []fieldErrorVector {
	path := field.NewPath("spec", "items").Index(0).Child("map").Key("k.e/y")
	vectors := []fieldErrorVector{}
	add := func(err *field.Error, call string, args ...any) {
		vectors = append(vectors, fieldErrorVector{Call: call, Args: args, Type: string(err.Type), Field: err.Field, Body: err.ErrorBody()})
	}
	values := []any{
		"", "text", "é日本", "a\"b\\c", "\n\t\r\a\b\f\v", "\x00\x1f\x7f", "\u0080\u00a0\u00ad", "\u200b\u2028\ufeff\ufffd", "\U0001F600", "\U000E0001", "<&>", "'", nil, true, int64(0), int64(-5), int64(9007199254740993), 0.5, 1e21,
		[]string{"a", "<b>"}, []any{}, map[string]any{"a": int64(1), "b": []any{nil}},
	}
	for _, value := range values {
		add(field.Invalid(path, value, "must be right"), "invalidValue", value, "must be right")
		add(field.TypeInvalid(path, value, "must be right"), "typeInvalid", value, "must be right")
		add(field.Duplicate(path, value), "duplicate", value)
		add(field.NotFound(path, value), "notFoundValue", value)
		add(field.NotSupported(path, value, []string{"a", "b\"c"}), "notSupported", value, []string{"a", "b\"c"})
	}
	add(field.Invalid(path, "x", ""), "invalidValue", "x", "")
	add(field.NotSupported(path, "x", []string{}), "notSupported", "x", []string{})
	add(field.Required(path, ""), "required")
	add(field.Required(path, "say something"), "required", "say something")
	add(field.Forbidden(path, "not here"), "forbiddenField", "not here")
	add(field.TooLong(path, "", 0), "tooLong", 0)
	add(field.TooLong(path, "", 1), "tooLong", 1)
	add(field.TooLong(path, "", 63), "tooLong", 63)
	add(field.TooMany(path, 2, 1), "tooMany", 2, 1)
	add(field.TooMany(path, 11, 10), "tooMany", 11, 10)
	return vectors
}

type apiErrorVector struct {
	Call   string        `json:"call"`
	Args   []any         `json:"args"`
	Status metav1.Status `json:"status"`
}

func apiErrors() []apiErrorVector {
	type resource struct {
		Group  string `json:"group"`
		Plural string `json:"plural"`
	}
	type kind struct {
		Group string `json:"group"`
		Kind  string `json:"kind"`
	}
	type fieldError struct {
		Type  string `json:"type"`
		Field string `json:"field"`
		Body  string `json:"body"`
	}
	vectors := []apiErrorVector{}
	add := func(err *apierrors.StatusError, call string, args ...any) {
		vectors = append(vectors, apiErrorVector{Call: call, Args: args, Status: err.Status()})
	}
	for _, r := range []resource{{"", "pods"}, {"apps", "deployments"}} {
		gr := schema.GroupResource{Group: r.Group, Resource: r.Plural}
		for _, name := range []string{"web", "we\"b"} {
			add(apierrors.NewNotFound(gr, name), "notFound", r, name)
			add(apierrors.NewAlreadyExists(gr, name), "alreadyExists", r, name)
			add(apierrors.NewConflict(gr, name, errors.New("it changed")), "conflict", r, name, "it changed")
			add(apierrors.NewForbidden(gr, name, errors.New("no")), "forbidden", r, name, "no")
		}
		add(apierrors.NewForbidden(gr, "", errors.New("no")), "forbidden", r, "", "no")
	}
	path := field.NewPath("spec", "replicas")
	lists := []field.ErrorList{
		{},
		{field.Invalid(path, int64(-1), "must be positive")},
		{field.Invalid(path, int64(-1), "must be positive"), field.Required(field.NewPath("spec", "selector"), "")},
		{field.Required(path, ""), field.Required(path, "")},
	}
	for _, k := range []kind{{"", "Pod"}, {"apps", "Deployment"}} {
		for _, list := range lists {
			args := []fieldError{}
			for _, err := range list {
				args = append(args, fieldError{string(err.Type), err.Field, err.ErrorBody()})
			}
			add(apierrors.NewInvalid(schema.GroupKind{Group: k.Group, Kind: k.Kind}, "web", list), "invalid", k, "web", args)
		}
	}
	add(apierrors.NewBadRequest("what?"), "badRequest", "what?")
	return vectors
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// object is JSON that is kept as it is.
type object = map[string]any

type sequence struct {
	Name  string  `json:"name"`
	Kind  string  `json:"kind"`
	Steps []*step `json:"steps"`
}

// step is one write. Exactly one of Next, Change and Apply is given; Change is a merge patch, and becomes Next.
type step struct {
	Manager     string  `json:"manager"`
	APIVersion  string  `json:"apiVersion,omitempty"`
	Subresource string  `json:"subresource,omitempty"`
	Force       bool    `json:"force,omitempty"`
	Next        object  `json:"next,omitempty"`
	Change      object  `json:"change,omitempty"`
	Apply       object  `json:"apply,omitempty"`
	Now         string  `json:"now"`
	Result      object  `json:"result,omitempty"`
	Error       *status `json:"error,omitempty"`
}

type status struct {
	Message string               `json:"message"`
	Reason  metav1.StatusReason  `json:"reason,omitempty"`
	Code    int32                `json:"code,omitempty"`
	Causes  []metav1.StatusCause `json:"causes,omitempty"`
}

// The field manager takes the time from the clock. Whatever is later than this was written by the step being played.
var epoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func (s *sequence) play(kinds map[string]*kind) error {
	kind, ok := kinds[s.Kind]
	if !ok {
		return fmt.Errorf("unknown kind %q", s.Kind)
	}
	var live *unstructured.Unstructured
	for n, each := range s.Steps {
		now := epoch.Add(time.Duration(n+1) * time.Minute)
		each.Now = now.Format(time.RFC3339)
		if each.APIVersion == "" {
			each.APIVersion = kind.Versions[0]
		}
		result, err := each.play(kind, live)
		if err != nil {
			each.Error = statusOf(err)
			continue
		}
		setTimes(result, now)
		each.Result = result.DeepCopy().Object
		live = result
		live.SetUID("uid")
	}
	return nil
}

func (s *step) play(kind *kind, live *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	manager, err := kind.fieldManager(s.APIVersion, s.Subresource)
	if err != nil {
		return nil, err
	}
	if live == nil {
		live = kind.empty(s.APIVersion)
	}
	if live.GetAPIVersion() != s.APIVersion {
		converted, err := kind.converter().ConvertToVersion(live, groupVersion(s.APIVersion))
		if err != nil {
			return nil, err
		}
		live = converted.(*unstructured.Unstructured)
	}
	if s.Apply != nil {
		if _, ok := s.Apply["apiVersion"]; !ok {
			s.Apply["apiVersion"], s.Apply["kind"] = s.APIVersion, kind.Kind
		}
		patch := &unstructured.Unstructured{Object: copyOf(s.Apply)}
		result, err := manager.Apply(live.DeepCopy(), patch, s.Manager, s.Force)
		if err != nil {
			return nil, err
		}
		return result.(*unstructured.Unstructured), nil
	}
	if s.Change != nil {
		s.Next = mergePatch(live.DeepCopy().Object, s.Change)
		s.Change = nil
	}
	if _, ok := s.Next["apiVersion"]; !ok {
		s.Next["apiVersion"], s.Next["kind"] = s.APIVersion, kind.Kind
	}
	next := &unstructured.Unstructured{Object: copyOf(s.Next)}
	return manager.UpdateNoErrors(live.DeepCopy(), next, s.Manager).(*unstructured.Unstructured), nil
}

func setTimes(result *unstructured.Unstructured, now time.Time) {
	entries := result.GetManagedFields()
	if len(entries) == 0 {
		return
	}
	for i := range entries {
		if at := entries[i].Time; at != nil && at.After(epoch.AddDate(1, 0, 0)) {
			entries[i].Time = &metav1.Time{Time: now}
		}
	}
	result.SetManagedFields(entries)
}

// statusOf sorts the causes: the field manager lists them in no order.
func statusOf(err error) *status {
	var refused *apierrors.StatusError
	if !errors.As(err, &refused) {
		return &status{Message: err.Error()}
	}
	result := &status{Message: refused.ErrStatus.Message, Reason: refused.ErrStatus.Reason, Code: refused.ErrStatus.Code}
	if details := refused.ErrStatus.Details; details != nil {
		result.Causes = details.Causes
		sort.Slice(result.Causes, func(i, j int) bool {
			a, b := result.Causes[i], result.Causes[j]
			return a.Message+a.Field < b.Message+b.Field
		})
	}
	return result
}

func mergePatch(target object, patch object) object {
	for name, value := range patch {
		child, ok := value.(object)
		if value == nil {
			delete(target, name)
		} else if present, isMap := target[name].(object); ok && isMap {
			target[name] = mergePatch(present, child)
		} else {
			target[name] = value
		}
	}
	return target
}

// copyOf reads integers as integers, as the server does.
func copyOf(value object) object {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	result := &unstructured.Unstructured{}
	if err := result.UnmarshalJSON(data); err != nil {
		panic(err)
	}
	return result.Object
}

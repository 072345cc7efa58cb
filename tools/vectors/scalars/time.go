package main

import (
	"encoding/json"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type durationVector struct {
	Text   string `json:"text"`
	Nanos  string `json:"nanos,omitempty"`
	String string `json:"string,omitempty"`
	Error  string `json:"error,omitempty"`
}

func durations() []durationVector {
	texts := []string{
		"0", "+0", "-0", "0s", "0h0m0s", "1ns", "1us", "1µs", "1μs", "1ms", "1s", "1m", "1h", "-1s", "+1s", "30s", "10m", "90s", "3600s", "1h30m", "1h0m0s", "36h", "1m1s1ms1us1ns", "1s1h", "1s1s", "1.5s", "1.5h", "-1.5h", ".5s", "1.s", "0.5ms", "1.234567891s", "1.2345678919s", "0.1ns", "0.9ns", "1.5ns",
		"0.3333333333333333333h", "0.100000000000000000000h", "0.000000000001h", "0.9223372036854775807h", "0.9223372036854775808h", "1.00000000000000000000000s", "1001ms", "1500us", "1500ns", "59.999999999s", "60s", "59m59s", "59m60s", "100ms", "999999999ns", "1000000000ns",
		"9223372036854775807ns", "-9223372036854775808ns", "9223372036854775.807us", "2562047h47m16.854775807s", "-2562047h47m16.854775808s", "007s", "00.50s",
		"", "+", "-", ".", "s", ".s", "-.s", "1", "-1", "1.5", "0.0", "1d", "1w", "1y", "1S", "1 s", " 1s", "1s ", "1s 1s", "1e3s", "1_000s", "1,5s", "1s1", "1s-1s", "--1s", "+-1s", "1h30", "1sm", "1é", "1\ns", "1\"s", "1\\", "é", "\u30d0", "∞", "1.1.1s", "1..1s", "0x1s",
		"9223372036854775808ns", "-9223372036854775809ns", "9223372036854775.808us", "2562048h", "9999999h", "92233720368547758080ns", "99999999999999999999999999s", "2562047h47m16.854775808s", "1.00000000000000000000000d",
	}
	vectors := []durationVector{}
	for _, s := range texts {
		encoded, err := json.Marshal(s)
		must(err)
		var d metav1.Duration
		if err := json.Unmarshal(encoded, &d); err != nil {
			vectors = append(vectors, durationVector{Text: s, Error: text(err)})
			continue
		}
		vectors = append(vectors, durationVector{Text: s, Nanos: strconv.FormatInt(int64(d.Duration), 10), String: d.Duration.String()})
	}
	return vectors
}

type timeVector struct {
	Text string `json:"text"`
	// Time and MicroTime are the text as it is stored, null for the zero time, absent if it is refused.
	Time           json.RawMessage `json:"time,omitempty"`
	TimeError      string          `json:"timeError,omitempty"`
	EpochMs        string          `json:"epochMs,omitempty"`
	MicroTime      json.RawMessage `json:"microTime,omitempty"`
	MicroTimeError string          `json:"microTimeError,omitempty"`
}

func times() []timeVector {
	// Go prefers the local zone when it reads an offset; what is written is UTC in any case.
	time.Local = time.UTC
	texts := []string{
		"2026-01-01T00:00:00Z", "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00-00:00", "2026-01-01T01:00:00+01:00", "2025-12-31T23:30:00-00:30", "2026-01-01T00:00:00+23:59", "2026-01-01T00:00:00-24:00", "2026-01-01T00:00:00+24:60", "2024-02-29T12:34:56Z", "2000-02-29T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
		"0000-01-01T00:00:00Z", "0000-01-01T00:00:00+01:00", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.5Z", "0001-01-01T01:00:00+01:00", "0099-12-31T00:00:00Z", "0004-02-29T00:00:00Z", "1600-02-29T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-01:00", "9999-12-31T23:59:59.999999Z", "2006-01-02T15:04:05Z",
		"2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00.1234567891Z", "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00.999999999Z", "1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.9999+01:00",
		"2026-01-01T00:00:00.000000Z", "2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123456+01:30", "2026-01-01T00:00:00,123456Z", "0001-01-01T00:00:00.000000Z", "2026-01-01T00:00:00.+12345Z", "2026-01-01T00:00:00.-12345Z", "2026-01-01T00:00:00.12345Z", "2026-01-01T00:00:00.1234567Z", "2026-01-01T00:00:00.12345", "2026-01-01T00:00:00.12e45Z",
		"2026-01-01T1:02:03Z", "2026-01-01T1:02:03.000000Z", "2026-01-01T24:00:00Z", "2026-01-01T23:60:00Z", "2026-01-01T23:59:60Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-04-31T00:00:00.000000Z",
		"", " ", "Z", "2026", "202", "26-01-01T00:00:00Z", "2026-1-01T00:00:00Z", "2026-01-1T00:00:00Z", "2026-01-01", "2026-01-01T", "2026-01-01T00", "2026-01-01T00:0", "2026-01-01T00:00", "2026-01-01T00:00:0Z", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", "2026-01-01t00:00:00Z", "2026-01-01T00:00:00z", "2026/01/01T00:00:00Z", "2026-01-01T00.00.00Z", "20260101T000000Z",
		"2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx", "2026-01-01T00:00:00Z ", "2026-01-01T00:00:00Z\n", " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00+01", "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+01:0", "2026-01-01T00:00:00+01:00x", "2026-01-01T00:00:00*01:00", "2026-01-01T00:00:00+25:00", "2026-01-01T00:00:00+00:61", "2026-01-01T00:00:00+25:61", "2026-01-01T00:00:00*25:00", "2026-01-01T00:00:00+a1:00", "2026-01-01T00:00:00+25:a0", "2026-01-01T00:00:00+a1:61", "2026-01-01T00:00:00UTC",
		"+2026-01-01T00:00:00Z", "-026-01-01T00:00:00Z", "2O26-01-01T00:00:00Z", "12026-01-01T00:00:00Z", "yesterday", "é", "2026-01-01Té", "\"", "2026-01-01T00:00:00\u2028Z", "1767225600", "null",
	}
	vectors := []timeVector{}
	for _, s := range texts {
		vector := timeVector{Text: s}
		encoded, err := json.Marshal(s)
		must(err)
		var t metav1.Time
		if err := t.UnmarshalJSON(encoded); err != nil {
			vector.TimeError = text(err)
		} else {
			vector.EpochMs = strconv.FormatInt(t.UnixMilli(), 10)
			vector.Time, err = t.MarshalJSON()
			must(err)
		}
		var m metav1.MicroTime
		if err := m.UnmarshalJSON(encoded); err != nil {
			vector.MicroTimeError = text(err)
		} else {
			vector.MicroTime, err = m.MarshalJSON()
			must(err)
		}
		vectors = append(vectors, vector)
	}
	return vectors
}

package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/intstr"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

type intOrStringVector struct {
	Text string `json:"text"`
	// Parsed is a number or a text.
	Parsed intstr.IntOrString `json:"parsed"`
	Total  int                `json:"total"`
	Up     int                `json:"up"`
	Down   int                `json:"down"`
	Error  string             `json:"error,omitempty"`
}

func intOrStrings() []intOrStringVector {
	texts := []string{
		"", "0", "1", "-1", "+1", "01", "80", "2147483647", "2147483648", "-2147483648", "-2147483649", "http", "0%", "1%", "25%", "33%", "50%", "99%", "100%", "101%", "150%", "-10%", "+10%", "010%", "%", "%%", "10%%",
		"1.5%", "10 %", " 10%", "10% ", "a%", "\"%", "é%", "1e2%", "9223372036854775808%", "-9223372036854775809%", "_1%", "10%\n", "\a%",
	}
	vectors := []intOrStringVector{}
	for _, s := range texts {
		for _, total := range []int{0, 1, 3, 7, 10, 100, 2147483647} {
			parsed := intstr.Parse(s)
			up, err := intstr.GetScaledValueFromIntOrPercent(&parsed, total, true)
			down, _ := intstr.GetScaledValueFromIntOrPercent(&parsed, total, false)
			vectors = append(vectors, intOrStringVector{Text: s, Parsed: parsed, Total: total, Up: up, Down: down, Error: text(err)})
			if err != nil {
				break
			}
		}
	}
	return vectors
}

type jsonVector struct {
	Text   string `json:"text"`
	Output string `json:"output"`
}

func jsonValues() []jsonVector {
	texts := []string{
		"0", "-0", "1", "-1", "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740991", "-9007199254740992", "-9007199254740993", "1234567890123456", "12345678901234567",
		"9223372036854775806", "9223372036854775807", "9223372036854775808", "-9223372036854775807", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "100000000000000000000", "123456789012345678901234567890",
		"0.1", "1.0", "1.5", "-1.5", "1e3", "1E3", "1e+3", "1e-3", "1e16", "1e18", "1e19", "1e20", "1e21", "1.5e300", "1e-6", "1e-7", "5e-324", "9007199254740993.0", "9007199254740993.5", "9007199254740993e0", "9223372036854775807.0", "0.1234567890123456789", "12345678901234567e2", "0e0", "0.0",
		"[9223372036854775807]", "[ 9223372036854775807 ]", "[1,9223372036854775807,2]", "[-9223372036854775808,\"-9223372036854775808\"]", "{\"a\":9223372036854775807}", "{\"a\": 9223372036854775807 }", "{\"a\":\n9223372036854775807\n}", "{\"a\":[{\"b\":[-9223372036854775807]}],\"c\":9007199254740993}",
		"{\"a\":\"9223372036854775807\"}", "{\"a\":\"x:9223372036854775807,y\"}", "{\"a\":\"x 9223372036854775807 y\",\"b\":9223372036854775807}", "{\"9223372036854775807\":1}", "{\"a\":\"sha256:1234567890123456789012345678901234567890123456789012345678901234\"}", "{\"a\":\"\\\"b\\\":9223372036854775807,\"}",
		"{\"__proto__\":9223372036854775807,\"constructor\":{\"prototype\":9007199254740993}}", "{\"__proto__\":{\"a\":1}}", "{\"a\":1,\"a\":9223372036854775807}", "\"9223372036854775807\"", "null", "true", "[]", "{}", "[null,true,false,\"\",0,9223372036854775807]", " 9223372036854775807 ", "\n-9223372036854775808",
		"[[[[9223372036854775807]]]]", "{\"a\":0.0000001,\"b\":9223372036854775807,\"c\":1.0}", "\"\\u00e9\\n\\\"\"", "\"\\ud83d\\ude00\"",
	}
	vectors := []jsonVector{}
	for _, s := range texts {
		var value any
		must(utiljson.Unmarshal([]byte(s), &value))
		output, err := json.Marshal(value)
		must(err)
		vectors = append(vectors, jsonVector{Text: s, Output: string(output)})
	}
	return vectors
}

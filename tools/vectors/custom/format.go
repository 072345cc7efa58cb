package main

import (
	"math/rand"
	"sort"

	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

type formatVector struct {
	Format string   `json:"format"`
	Texts  []string `json:"texts"`
	// Valid has a 1 for each text that is of the format, and a 0 for each other.
	Valid string `json:"valid"`
}

var formatTexts = map[string][]string{
	"bsonobjectid":   {"507f1f77bcf86cd799439011"},
	"uri":            {"http://a.b/c?d#e", "/abs", "foo", "mailto:a@b", "http://[::1]:80/", "http://a:b@c:80/%20", "*", "a:", "http://a%2fb/", "https://x:y:z/"},
	"email":          {"a@b.c", "A B <a@b>", "\"q\\\" x\"@[1.2.3.4]", "a@b (comment (nested))", "group: a@b, c@d;", "g: a@b;", "a.b@c", ".a@b", "<a@b>", "\"\"@x", "a @ b", "é@ü", "(c) a@b"},
	"hostname":       {"a", "a.b.com", "-a", "a-b.c", "☃.com", "a_b", "1.2", "localhost"},
	"ipv4":           {"1.2.3.4", "001.2.3.4", "::ffff:1.2.3.4", "256.1.1.1", "1.2.3"},
	"ipv6":           {"::1", "1:2:3:4:5:6:7:8", "::", "1::", "::1.2.3.4", "fe80::1%eth0", "1:2:3:4:5:6:1.2.3.4", "::01.2.3.4"},
	"cidr":           {"10.0.0.0/8", "010.0.0.0/8", "::/0", "1.2.3.4/33", "::1/129", "1.2.3.4/08"},
	"mac":            {"00:11:22:33:44:55", "00-11-22-33-44-55", "0011.2233.4455", "001122334455", "00:11:22:33:44:55:66:77"},
	"uuid":           {"123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"},
	"uuid3":          {"123e4567-e89b-32d3-a456-426614174000"},
	"uuid4":          {"123e4567-e89b-42d3-a456-426614174000"},
	"uuid5":          {"123e4567-e89b-52d3-a456-426614174000"},
	"isbn":           {"0321751043", "978-0321751041", "340101319X"},
	"isbn10":         {"0321751043"},
	"isbn13":         {"978-0321751041"},
	"creditcard":     {"4220-8554-2622-2389", "374953669708156"},
	"ssn":            {"191-60-2869", "191602869"},
	"hexcolor":       {"#fff", "CCccCC"},
	"rgbcolor":       {"rgb(0,31,255)", "rgb( 1 , 2 ,3)"},
	"byte":           {"TG9y", "TG8=", "TA==", ""},
	"password":       {"x"},
	"date":           {"2024-02-29", "2023-02-29", "0000-01-01", "2024-13-01"},
	"duration":       {"1h", "3 days", "2 weeks and 1 hr", "1.5s", "22 ns", "5minutes", "x", "10", "3 DAYS", "9999999999999999999 s"},
	"date-time":      {"2014-12-15T19:30:20.000Z", "2014-12-15t19:30:20+01:00", "2014-12-15T24:30:20Z", "2014-12-15T19:30:20"},
	"k8s-short-name": {"abc", "a-b", "A", "a.b", "-a"},
	"k8s-long-name":  {"a.b", "a..b", "a-b.c"},
}

func formats() []formatVector {
	random := rand.New(rand.NewSource(1))
	names := []string{}
	for name := range formatTexts {
		names = append(names, name)
	}
	sort.Strings(names)
	vectors := []formatVector{}
	for _, name := range names {
		texts := formatTexts[name]
		for range 40 {
			texts = append(texts, changed(formatTexts[name][random.Intn(len(formatTexts[name]))], random))
		}
		vectors = append(vectors, formatVector{Format: name, Texts: texts, Valid: bits(texts, func(text string) bool { return strfmt.Default.Validates(name, text) })})
	}
	return vectors
}

// changed adds, drops or replaces a few characters.
func changed(text string, random *rand.Rand) string {
	alphabet := []rune("abzAZ019 .-:/@%#?[]()<>\"\\;,_+=é☃\ttTzZ*&!~'$|^`")
	letters := []rune(text)
	for range 1 + random.Intn(3) {
		at, letter := random.Intn(len(letters)+1), alphabet[random.Intn(len(alphabet))]
		switch kind := random.Intn(3); {
		case kind == 0 || at == len(letters):
			letters = append(letters[:at], append([]rune{letter}, letters[at:]...)...)
		case kind == 1:
			letters = append(letters[:at], letters[at+1:]...)
		default:
			letters[at] = letter
		}
	}
	return string(letters)
}

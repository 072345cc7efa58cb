package main

import (
	"strconv"

	"gopkg.in/inf.v0"
	"k8s.io/apimachinery/pkg/api/resource"
)

type quantityVector struct {
	Text       string `json:"text"`
	Error      string `json:"error,omitempty"`
	String     string `json:"string,omitempty"`
	Canonical  string `json:"canonical,omitempty"`
	Format     string `json:"format,omitempty"`
	Sign       int    `json:"sign"`
	Value      string `json:"value,omitempty"`
	MilliValue string `json:"milliValue,omitempty"`
	Int64      string `json:"int64,omitempty"`
	Float      string `json:"float,omitempty"`
}

var quantityTexts = []string{
	// plain, signed, with zeros in front and behind
	"0", "1", "-1", "+1", "00", "-0", "+0", "01", "007", "0.0", "0.", ".0", "1.", ".5", "-.5", "+.5", "10", "100", "1000", "123456",
	"1.0", "1.00", "1.000", "1.10", "1.500", "1.123", "12.345678", "0.001", "0.0001", "0.000000001", "0.0000000001", "-0.0000000001",
	// texts without a digit, which count as zero
	"+", "-", ".", "-.", "Ki", "m", "E", "e3", ".Ki", "+k",
	// decimal suffixes
	"1n", "1u", "1m", "1k", "1M", "1G", "1T", "1P", "1E", "0.1n", "0.1u", "1.5n", "100n", "1000n", "1500u", "100m", "250m", "999m", "1000m", "1001m",
	"1500m", "-1500m", "0.5m", "0.0005m", "1.5k", "1.0005k", "1.23456789k", "1000k", "1024k", "12345M", "9E", "10E", "99E", "999E", "1000E", "1.5E",
	"1.G", "+1.5G", "0.5G", "0k", "0n", "-250m",
	// binary suffixes
	"1Ki", "+1Ki", "01Ki", "1.Ki", "0Ki", "-1Ki", "7Ki", "8Ki", "1000Ki", "1023Ki", "1024Ki", "1025Ki", "1536Ki", "1048576Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei", "7Ei", "8Ei", "9Ei",
	"-8Ei", "100Ei", "7.9Ei", "1.5Gi", "1.5Ki", "0.5Ki", "0.1Ki", "0.0001Ki", "0.0000001Ki", "-0.5Ki", "1.1Mi", "1.7Gi", "1023Mi", "9999999999Ki", "99999999999Ki", "999999999999Ki",
	"8191Pi", "8192Pi", "0.9765625Ki", "0.5Mi", "10.5Ki", "1234567890123456789012Ki",
	// exponents
	"1e0", "1e3", "1E3", "1e+3", "1e-3", "12e1", "12e6", "1.5e3", "1.5e2", "-1e3", "1e-9", "1e-10", "5e-10", "1e18", "1e19", "1e20", "1e100", "1e-100", "0e5", "0e-10", "100e-2", "123e2", "1000e3",
	"1E-3", "2E+2", "1e003", "1e2147483647", "1e-1000", "1e4294967297", "1e9223372036854775807", "e-10", ".e-10",
	// large numbers
	"999999999999999999", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "10000000000000000000", "12345678901234567890",
	"123456789012345678901234567890", "1.234567890123456789", "-1.234567890123456789", "0.1234567891", "123456789.123456789", "1234567890.123456789", "12345678901.1234567891", "99999999999999999999.999999999999",
	"9223372036854775807m", "9223372036854775807k", "1000000000000000000000000000000000000", "12345678901234567890m", "1.0000000000000000000", "0.0000000000000000000",
	// wrong
	"", " ", " 1", "1 ", "1\n", "a", "1a", "1i", "1ki", "1K", "1mi", "1mm", "1kk", "1MiB", "1B", "1e", "1E", "1e+", "1e-", "1eE", "1e3.5", "1e3k", "1e9223372036854775808", "1+1", "1-1", "1.1.1", "1..1", "1.1.M", "1+1.0M", "0.1mi",
	"0.1am", "aoeu", ".5i", "-3.01i", "-3.01e-", "--1", "+-1", "1_000", "1,5", "0x1", "∞", "１", "1µ", "1Kii", "1iK", "1nan", "Infinity", "1eu3", "1Ee3", "1m1", "1M-1", "1M+",
}

func quantities() []quantityVector {
	vectors := make([]quantityVector, 0, len(quantityTexts))
	for _, s := range quantityTexts {
		vectors = append(vectors, quantityOf(s))
	}
	return vectors
}

func quantityOf(s string) quantityVector {
	q, err := resource.ParseQuantity(s)
	if err != nil {
		return quantityVector{Text: s, Error: text(err)}
	}
	vector := quantityVector{Text: s, String: q.String(), Canonical: canonical(q), Format: string(q.Format), Sign: q.Sign()}
	if i, ok := q.AsInt64(); ok {
		vector.Int64 = strconv.FormatInt(i, 10)
	}
	// Only so far as the exact number is short enough to be written down.
	if decimal(q).Scale() > -200 {
		vector.Value = rounded(q, 0)
		vector.MilliValue = rounded(q, resource.Milli)
		vector.Float = strconv.FormatFloat(q.AsApproximateFloat64(), 'g', -1, 64)
	}
	return vector
}

func canonical(q resource.Quantity) string {
	number, suffix := q.CanonicalizeBytes(nil)
	return string(number) + string(suffix)
}

// rounded is what Value and MilliValue promise. They themselves wrap around beyond an int64 and, in the large representation, round
// negative fractions towards zero; where they do neither, they must agree.
func rounded(q resource.Quantity, scale resource.Scale) string {
	up := q.DeepCopy()
	up.RoundUp(scale)
	dec := decimal(up)
	dec.SetScale(dec.Scale() + inf.Scale(scale))
	exact := dec.String()
	if _, err := strconv.ParseInt(exact, 10, 64); err == nil && q.Sign() >= 0 {
		if value := strconv.FormatInt(q.ScaledValue(scale), 10); value != exact {
			panic(q.String() + ": " + value + " is not " + exact)
		}
	}
	return exact
}

// decimal leaves q as it is, which AsDec does not.
func decimal(q resource.Quantity) *inf.Dec {
	own := q.DeepCopy()
	return own.AsDec()
}

type quantityPair struct {
	Left    string `json:"left"`
	Right   string `json:"right"`
	Compare int    `json:"compare"`
	Sum     string `json:"sum"`
	// Int64 is the sum again, if apimachinery still holds it as one.
	Int64      string `json:"int64,omitempty"`
	Difference string `json:"difference"`
}

var pairTexts = []string{
	"0", "0Ki", "0e3", "1", "1.0", "-1", "250m", "1n", "1000m", "1Ki", "1.5Gi", "1e3", "1e19", "0.1", "9223372036854775807", "-9223372036854775807", "7Ei", "999E", "12345678901234567890", "-0.0000000001",
}

func quantityPairs() []quantityPair {
	var pairs []quantityPair
	for _, left := range pairTexts {
		for _, right := range pairTexts {
			l, r := resource.MustParse(left), resource.MustParse(right)
			sum, difference := l.DeepCopy(), l.DeepCopy()
			sum.Add(r)
			difference.Sub(r)
			pair := quantityPair{Left: left, Right: right, Compare: l.Cmp(r), Sum: sum.String(), Difference: difference.String()}
			if i, ok := sum.AsInt64(); ok {
				pair.Int64 = strconv.FormatInt(i, 10)
			}
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

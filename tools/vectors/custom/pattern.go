package main

import "regexp"

type patternVector struct {
	Pattern string `json:"pattern"`
	Error   string `json:"error,omitempty"`
	// Matches has a 1 for each text of the first vector that matches, and a 0 for each other.
	Matches string `json:"matches,omitempty"`
	// Texts are what is matched.
	Texts []string `json:"texts,omitempty"`
}

var patternTexts = []string{
	"", "a", "ab", "A", "k", "\u212a", "b1", "a\nb", "\n", "ſ", "é", "aaa", "1-1", "α", "[", ".*", "{2}", "a b", "AAAB", "_", "]", "\\E", "ab]", "\t", "😀",
}

var patternTokens = []string{
	"a", "b", "k", "A", "1", "-", "]", "[", "^", "$", ".", "*", "+", "?", "{2}", "{1,3}", "{2,}", "{3,1}", "{1001}", "{", "}", "(", ")", "(?:", "(?i)", "(?i:", "(?s:", "(?m)", "(?U)", "(?P<n>", "(?<n2>", "(?=", "(?-i)", "|",
	`\d`, `\W`, `\s`, `\b`, `\B`, `\A`, `\z`, `\Q.*\E`, `\Qab`, `\pL`, `\p{Greek}`, `\P{Lu}`, `\p{^Lu}`, `\p{Foo}`, `\p{`, `\x41`, `\x{61}`, `\x{}`, `\xg`, `\8`, `\1`, `\12`, `\07`, `\.`, `\_`, `\C`, `\E`, `\n`,
	"[a-z]", "[^a]", "[z-a]", "[]a]", "[[:alpha:]]", "[[:^digit:]x]", "[[:foo:]]", `[\d-x]`, `[a-\d]`, "ſ", "é", "\n", "{,2}", "{02}", "{1,}?", "??", "(?i-s:", `\`, " ",
}

func patterns() []patternVector {
	vectors := []patternVector{{Pattern: "a", Texts: patternTexts, Matches: bits(patternTexts, regexp.MustCompile("a").MatchString)}}
	for _, pattern := range joined(patternTokens, 600, 6) {
		compiled, err := regexp.Compile(pattern)
		if err != nil {
			vectors = append(vectors, patternVector{Pattern: pattern, Error: err.Error()})
			continue
		}
		vectors = append(vectors, patternVector{Pattern: pattern, Matches: bits(patternTexts, compiled.MatchString)})
	}
	return vectors
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { formatGoUrl, hostnameOf, parseGoUrl, parseRequestUri, portOf, queryOf } from "./go-url.ts";
import { ParseError } from "../error/parse-error.ts";

test("[URL1] a URL comes apart as in Go", () => {
  const url = parseGoUrl("HTTPS://user:pw@Example.com:8080/a%2Fb/c?x=1&y=%20&x=2#top");
  assert.deepEqual(
    [url.scheme, url.user, url.host, hostnameOf(url), portOf(url)],
    ["https", "user:pw", "Example.com:8080", "Example.com", "8080"],
  );
  assert.deepEqual([url.escapedPath, url.fragment], ["/a%2Fb/c", "top"]);
  assert.deepEqual(
    [...queryOf(url)],
    [
      ["x", ["1", "2"]],
      ["y", [" "]],
    ],
  );
  assert.equal(formatGoUrl(url), "https://user:pw@Example.com:8080/a%2Fb/c?x=1&y=%20&x=2#top");
  assert.equal(hostnameOf(parseGoUrl("http://[::1]:80/")), "::1");
  assert.equal(parseGoUrl("https://u:p%20q@h").user, "u:p%20q");
  assert.equal(parseGoUrl("https://[::1%25en0]:80").host, "[::1%en0]:80");
});

test("what is no URL of a request is refused", () => {
  for (const text of ["", "relative/path", "http://a b/", "http://[::1", "http://a:port/", ":x", "http://%zz/", "a\nb"]) {
    assert.throws(() => parseRequestUri(text), ParseError, text);
  }
  for (const text of ["/path", "http://example.com", "mailto:a@b", "*"]) assert.doesNotThrow(() => parseRequestUri(text));
});

test("a URL that is none is refused in Go's words", () => {
  const refusals: Readonly<Record<string, string>> = {
    ":": 'parse ":": missing protocol scheme',
    "a b:c": 'parse "a b:c": first path segment in URL cannot contain colon',
    "http://a b/": 'parse "http://a b/": invalid character " " in host name',
    "http://a:b/": 'parse "http://a:b/": invalid port ":b" after host',
    "http://a/%zz": 'parse "http://a/%zz": invalid URL escape "%zz"',
    "http://[::1": "parse \"http://[::1\": missing ']' in host",
    "http://a\n": 'parse "http://a\\n": net/url: invalid control character in URL',
    "http://u|@h": 'parse "http://u|@h": net/url: invalid userinfo',
  };
  for (const [url, message] of Object.entries(refusals)) assert.throws(() => parseGoUrl(url), { name: "ParseError", message });
});

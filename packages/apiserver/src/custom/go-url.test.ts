import assert from "node:assert/strict";
import { test } from "node:test";
import { parseGoUrl } from "./go-url.ts";

test("[CRD12] a URL comes apart as in Go", () => {
  assert.deepEqual(parseGoUrl("HTTPS://u:p%20q@h:80/p?q=1#f"), {
    scheme: "https",
    host: "h:80",
    user: "u:p%20q",
    query: "q=1",
    fragment: "f",
  });
  assert.deepEqual(parseGoUrl("https://[::1%25en0]:80"), {
    scheme: "https",
    host: "[::1%en0]:80",
    user: undefined,
    query: "",
    fragment: "",
  });
  assert.deepEqual(parseGoUrl("a/b"), { scheme: "", host: "", user: undefined, query: "", fragment: "" });
});

test("[CRD12] a URL that is none is refused in Go's words", () => {
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

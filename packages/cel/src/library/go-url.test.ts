import assert from "node:assert/strict";
import { test } from "node:test";
import { ParseError } from "@kaji/core";
import { formatGoUrl, hostnameOf, parseGoUrl, parseRequestUri, portOf, queryOf } from "./go-url.ts";

test("[CEL12] a URL comes apart as in Go", () => {
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
});

test("[CEL12] what is no URL of a request is refused", () => {
  for (const text of ["", "relative/path", "http://a b/", "http://[::1", "http://a:port/", ":x", "http://%zz/", "a\nb"]) {
    assert.throws(() => parseRequestUri(text), ParseError, text);
  }
  for (const text of ["/path", "http://example.com", "mailto:a@b", "*"]) assert.doesNotThrow(() => parseRequestUri(text));
});

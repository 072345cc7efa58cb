import assert from "node:assert/strict";
import { test } from "node:test";
import { formatApiVersion, formatKind, formatResource, parseApiVersion, parseKind } from "./group-version.ts";
import { ParseError } from "../error/parse-error.ts";

test("an apiVersion without a slash is of the core group", () => {
  assert.deepEqual(parseApiVersion("v1"), { group: "", version: "v1" });
  assert.deepEqual(parseApiVersion("apps/v1"), { group: "apps", version: "v1" });
  for (const apiVersion of ["v1", "apps/v1", "storage.k8s.io/v1beta1"]) {
    assert.equal(formatApiVersion(parseApiVersion(apiVersion)), apiVersion);
  }
});

test("an apiVersion with an empty part, or with too many, is refused by name", () => {
  for (const apiVersion of ["", "/", "/v1", "apps/", "a/b/c"]) {
    const message = `apiVersion "${apiVersion}" is not of the form VERSION or GROUP/VERSION`;
    assert.throws(() => parseApiVersion(apiVersion), new ParseError(message));
  }
});

test("kinds and resources are read in the form they are written in", () => {
  assert.equal(formatKind({ group: "apps", version: "v1", kind: "Deployment" }), "apps/v1, Kind=Deployment");
  assert.deepEqual(parseKind("v1, Kind=Pod"), { group: "", version: "v1", kind: "Pod" });
  assert.equal(formatResource({ group: "", version: "v1", resource: "pods" }), "v1, Resource=pods");
});

test("a kind is not a resource", () => {
  assert.throws(() => parseKind("v1, Resource=pods"), new ParseError('"v1, Resource=pods" is not of the form APIVERSION, Kind=NAME'));
  for (const text of ["", "v1", "v1, Kind=", ", Kind=Pod", "v1,Kind=Pod", "a/b/c, Kind=Pod"])
    assert.throws(() => parseKind(text), ParseError, text);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { ParseError } from "../error/parse-error.ts";
import { resource } from "./resource.ts";
import { Scheme } from "./scheme.ts";

const pods = resource({ group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" });
const deployments = resource({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", scope: "Namespaced" });

test("[SCH1] a resource is found by its kind, by its path and by an object of it", () => {
  const scheme = new Scheme([pods, deployments]);
  assert.equal(scheme.byKind({ group: "apps", version: "v1", kind: "Deployment" }), deployments);
  assert.equal(scheme.byPath({ group: "", version: "v1", resource: "pods" }), pods);
  assert.equal(scheme.resourceOf({ apiVersion: "apps/v1", kind: "Deployment" }), deployments);
  assert.deepEqual([...scheme], [pods, deployments]);
});

test("[SCH1] group, version and kind must all agree", () => {
  const scheme = new Scheme([pods]);
  assert.equal(scheme.byKind({ group: "", version: "v2", kind: "Pod" }), undefined);
  assert.equal(scheme.byKind({ group: "core", version: "v1", kind: "Pod" }), undefined);
  assert.equal(scheme.byKind({ group: "", version: "v1", kind: "constructor" }), undefined);
  assert.equal(scheme.resourceOf({ apiVersion: "example.com/v1", kind: "Widget" }), undefined);
  assert.throws(() => scheme.resourceOf({ apiVersion: "a/b/c", kind: "Pod" }), ParseError);
});

test("[SCH2] a scheme grows by making another one; the same resource may come twice, two of one kind or path may not", () => {
  const scheme = new Scheme([pods]);
  assert.equal(scheme.with(deployments).byPath({ group: "apps", version: "v1", resource: "deployments" }), deployments);
  assert.equal(scheme.byPath({ group: "apps", version: "v1", resource: "deployments" }), undefined);
  assert.equal([...scheme.with(pods)].length, 1);
  const samePath = resource({ ...pods, kind: "Peapod" });
  const sameKind = resource({ ...pods, plural: "podz" });
  assert.throws(() => scheme.with(samePath), new TypeError("scheme has two resources for v1, Resource=pods"));
  assert.throws(() => scheme.with(sameKind), new TypeError("scheme has two resources for v1, Kind=Pod"));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { resource, resourcePath } from "./resource.ts";

const pods = resource({ group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" });
const nodes = resource({ group: "", version: "v1", kind: "Node", plural: "nodes", scope: "Cluster" });
const deployments = resource({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments", scope: "Namespaced" });

test("names that are not given follow from the kind, and the value cannot be changed", () => {
  assert.deepEqual(deployments, {
    group: "apps",
    version: "v1",
    kind: "Deployment",
    plural: "deployments",
    singular: "deployment",
    listKind: "DeploymentList",
    scope: "Namespaced",
  });
  assert.ok(Object.isFrozen(deployments));
  assert.equal(resource({ ...pods, singular: "peapod", listKind: "Pods" }).singular, "peapod");
});

test("the core group is served under /api, any other under /apis", () => {
  assert.equal(resourcePath(pods), "/api/v1/pods");
  assert.equal(resourcePath(deployments), "/apis/apps/v1/deployments");
});

test("a path narrows down from all namespaces to one object and its subresource", () => {
  assert.equal(resourcePath(pods, { namespace: "default" }), "/api/v1/namespaces/default/pods");
  assert.equal(resourcePath(pods, { namespace: "default", name: "web" }), "/api/v1/namespaces/default/pods/web");
  assert.equal(resourcePath(pods, { namespace: "a", name: "b", subresource: "status" }), "/api/v1/namespaces/a/pods/b/status");
});

test("a kind of the whole cluster has no namespace in its path", () => {
  assert.equal(resourcePath(nodes, { namespace: "default", name: "n1" }), "/api/v1/nodes/n1");
});

test("names are encoded, so that none of them can leave its segment", () => {
  assert.equal(resourcePath(pods, { namespace: "../x", name: "a/b?c" }), "/api/v1/namespaces/..%2Fx/pods/a%2Fb%3Fc");
  assert.equal(resourcePath(nodes, { name: "system:node" }), "/api/v1/nodes/system%3Anode");
});

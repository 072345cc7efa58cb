import assert from "node:assert/strict";
import { test } from "node:test";
import { operationId, tagOf } from "./operation-id.ts";

test("[OAS7] the id of an operation has the group, without Kubernetes' own domain, and the version after its verb", () => {
  assert.equal(operationId({ verb: "read", subject: "NamespacedPodStatus" }, "", "v1"), "readCoreV1NamespacedPodStatus");
  assert.equal(operationId({ verb: "list", subject: "Role" }, "rbac.authorization.k8s.io", "v1"), "listRbacAuthorizationV1Role");
  assert.equal(operationId({ verb: "patch", subject: "Foo" }, "my-group.example.com", "v1beta1"), "patchMyGroupExampleComV1beta1Foo");
  assert.equal(operationId({ verb: "get", subject: "APIGroup" }, "apps"), "getAppsAPIGroup");
});

test("[OAS7] deleting a collection is called deleting, and the collection is named after the version", () => {
  const name = { verb: "deletecollection", subject: "NamespacedPod" };
  assert.equal(operationId(name, "", "v1"), "deleteCoreV1CollectionNamespacedPod");
});

test("[OAS7] the tag is that of the group and version; a digit at its start is no part of it", () => {
  assert.equal(tagOf("", "v1"), "core_v1");
  assert.equal(tagOf("flowcontrol.apiserver.k8s.io", "v1"), "flowcontrolApiserver_v1");
  assert.equal(tagOf("3scale.net", "v1alpha1"), "ScaleNet_v1alpha1");
  assert.equal(tagOf("apps"), "apps");
});

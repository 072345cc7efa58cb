import assert from "node:assert/strict";
import { test } from "node:test";
import { apiGroups, isServedByDefault } from "./api-groups.ts";
import { structTable } from "./struct-table.ts";

test("groups and versions come in the order of preference", () => {
  const groups = apiGroups();
  assert.equal(groups[0]?.group, "");
  assert.deepEqual(
    groups.find(({ group }) => group === "autoscaling")?.versions.map(({ version }) => version),
    ["v2", "v1"],
  );
});

test("only stable versions are served by default", () => {
  assert.deepEqual(["v1", "v2", "v1beta1", "v1alpha3"].map(isServedByDefault), [true, true, false, false]);
});

test("a resource has its names, verbs and subresources", () => {
  const deployments = resourceOf("apps", "v1", "deployments");
  assert.deepEqual(
    [deployments?.kind, deployments?.singular, deployments?.namespaced, deployments?.shortNames, deployments?.categories],
    ["Deployment", "deployment", true, ["deploy"], ["all"]],
  );
  assert.deepEqual(deployments?.verbs, ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]);
  assert.deepEqual(deployments?.subresources, [
    { name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get", "patch", "update"] },
    { name: "status", kind: "Deployment", verbs: ["get", "patch", "update"] },
  ]);
});

test("a resource says whether its deletion answers with the object", () => {
  assert.equal(resourceOf("", "v1", "pods")?.returnsDeleted, true);
  assert.equal(resourceOf("", "v1", "configmaps")?.returnsDeleted, undefined);
});

test("the kind of every resource and subresource has a struct", () => {
  for (const { group, versions } of apiGroups()) {
    for (const { version, resources } of versions) {
      for (const { kind, subresources = [] } of resources) {
        for (const type of [{ kind }, ...subresources]) assert.ok(structTable.structOf({ group, version, ...type }), JSON.stringify(type));
      }
    }
  }
});

function resourceOf(group: string, version: string, name: string) {
  const versions = apiGroups().find((each) => each.group === group)?.versions;
  return versions?.find((each) => each.version === version)?.resources.find((each) => each.name === name);
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { structTable } from "./struct-table.ts";

test("a kind leads to its struct, in every version that has it", () => {
  assert.equal(structTable.structOf({ group: "", version: "v1", kind: "Pod" }), "core.v1.Pod");
  assert.equal(structTable.structOf({ group: "apps", version: "v1", kind: "Deployment" }), "apps.v1.Deployment");
  assert.equal(structTable.structOf({ group: "rbac.authorization.k8s.io", version: "v1", kind: "Role" }), "rbac.v1.Role");
  const definitions = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
  assert.equal(structTable.structOf(definitions), "apiextensions.v1.CustomResourceDefinition");
});

test("options and watch events are kinds of every version", () => {
  assert.equal(structTable.structOf({ group: "apps", version: "v1", kind: "DeleteOptions" }), "meta.v1.DeleteOptions");
  assert.equal(structTable.structOf({ group: "", version: "v1", kind: "Status" }), "meta.v1.Status");
  assert.equal(structTable.structOf({ group: "apps", version: "v1", kind: "Status" }), undefined);
});

test("a struct leads to its kinds: one for most, every version for options, the core group first", () => {
  assert.deepEqual(structTable.kindsOf("apps.v1.Deployment"), [{ group: "apps", version: "v1", kind: "Deployment" }]);
  assert.deepEqual(structTable.kindsOf("core.v1.PodSpec"), []);
  const [core, ...others] = structTable.kindsOf("meta.v1.DeleteOptions");
  assert.deepEqual(core, { group: "", version: "v1", kind: "DeleteOptions" });
  assert.ok(others.some(({ group, version }) => group === "batch" && version === "v1"));
  for (const kind of [core, ...others]) assert.equal(kind && structTable.structOf(kind), "meta.v1.DeleteOptions");
});

test("what is not a kind or struct is absent, names of JavaScript's own included", () => {
  assert.equal(structTable.structOf({ group: "", version: "v1", kind: "constructor" }), undefined);
  assert.equal(structTable.structOf({ group: "", version: "__proto__", kind: "Pod" }), undefined);
  assert.equal(structTable.structOf({ group: "example.com", version: "v1", kind: "DeleteOptions" }), undefined);
  assert.equal(structTable.fieldsOf("constructor"), undefined);
  assert.equal(structTable.propertiesOf("__proto__"), undefined);
  assert.equal(structTable.mapTypeOf("constructor"), undefined);
});

test("fields are as Go declares them, inline structs as they are", () => {
  const [typeMeta, metadata] = structTable.fieldsOf("core.v1.Pod") ?? [];
  assert.deepEqual([typeMeta?.inline, typeMeta?.type], [true, { type: "struct", name: "meta.v1.TypeMeta" }]);
  assert.deepEqual([metadata?.name, metadata?.number, metadata?.omitEmpty], ["metadata", 1, true]);
});

test("properties are what JSON may have, inline structs dissolved", () => {
  const volume = structTable.propertiesOf("core.v1.Volume");
  assert.deepEqual([volume?.has("name"), volume?.has("emptyDir"), volume?.has("")], [true, true, false]);
  assert.deepEqual([...(structTable.propertiesOf("core.v1.Pod")?.keys() ?? [])], ["kind", "apiVersion", "metadata", "spec", "status"]);
});

test("a field carries what Go and OpenAPI say about it", () => {
  const spec = structTable.propertiesOf("core.v1.PodSpec");
  const containers = spec?.get("containers");
  assert.deepEqual(containers?.type, { type: "list", items: { type: "struct", name: "core.v1.Container" }, wrapped: false });
  assert.deepEqual([containers?.required, containers?.patchStrategy, containers?.patchMergeKey], [true, "merge", "name"]);
  assert.deepEqual([containers?.listType, containers?.listMapKeys], ["map", ["name"]]);
  assert.deepEqual(spec?.get("restartPolicy")?.enum, ["Always", "Never", "OnFailure"]);
  assert.equal(structTable.propertiesOf("meta.v1.ObjectMeta")?.get("creationTimestamp")?.omitZero, true);
});

test("a field has the name of its type in Go, where that is a named one", () => {
  const goType = (struct: string, name: string): string | undefined => structTable.propertiesOf(struct)?.get(name)?.goType;
  assert.equal(goType("apps.v1.DeploymentStrategy", "type"), "v1.DeploymentStrategyType");
  assert.equal(goType("core.v1.Capabilities", "add"), "[]v1.Capability");
  assert.equal(goType("core.v1.PodSpec", "overhead"), "v1.ResourceList");
  assert.equal(goType("core.v1.PersistentVolumeClaimStatus", "allocatedResourceStatuses"), "map[v1.ResourceName]v1.ClaimResourceStatus");
  assert.equal(goType("meta.v1.ObjectMeta", "uid"), "types.UID");
  assert.equal(goType("meta.v1.ObjectMeta", "name"), undefined);
});

test("defaults are those of OpenAPI, zero values where Go always has one included", () => {
  const port = structTable.propertiesOf("core.v1.ContainerPort");
  assert.deepEqual(
    [port?.get("protocol")?.default, port?.get("containerPort")?.default, port?.get("name")?.default],
    ["TCP", 0, undefined],
  );
  assert.deepEqual(structTable.propertiesOf("core.v1.Pod")?.get("spec")?.default, {});
  assert.equal(structTable.propertiesOf("core.v1.ReplicationControllerSpec")?.get("replicas")?.default, 1);
});

test("structs say whether apply takes them as one value, and which of their fields exclude each other", () => {
  assert.equal(structTable.mapTypeOf("core.v1.LocalObjectReference"), "atomic");
  assert.equal(structTable.mapTypeOf("core.v1.PodSpec"), undefined);
  assert.deepEqual(structTable.unionsOf("core.v1.SeccompProfile"), [
    { discriminator: "type", "fields-to-discriminateBy": { localhostProfile: "LocalhostProfile" } },
  ]);
  assert.deepEqual(structTable.unionsOf("core.v1.PodSpec"), []);
});

test("every struct that a field refers to is in the table", () => {
  const names = new Set(structTable.names());
  for (const name of names) {
    for (const { type } of structTable.fieldsOf(name) ?? []) {
      const inner = type.type === "list" ? type.items : type.type === "map" ? type.values : type;
      if (inner.type === "struct") assert.ok(names.has(inner.name), `${name} refers to ${inner.name}`);
    }
  }
});

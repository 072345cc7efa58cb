import type { JsonObject, JsonValue } from "@kaji/core";
import type { Step } from "@kaji-tools/record";
import type { Dice } from "../random/dice.ts";

const uid = "8a4a4a0e-0000-4000-8000-000000000000";

/** Kinds with metadata alone, nearly: built in, and custom. */
const kinds = [
  { type: { apiVersion: "v1", kind: "ConfigMap" }, prefix: "/api/v1", plural: "configmaps", content: [{}, { data: { a: "1" } }] },
  { type: { apiVersion: "v1", kind: "Secret" }, prefix: "/api/v1", plural: "secrets", content: [{}, { data: { a: "MQ==" } }] },
  {
    type: { apiVersion: "differential.example.com/v1", kind: "Shirt" },
    prefix: "/apis/differential.example.com/v1",
    plural: "shirts",
    content: [{ spec: { color: "red" } }, { spec: { color: "blue" } }],
  },
] as const;

/** What clients say in metadata, much of it wrong, but of the right types: what is wrong with those is told in the order of a hash table. */
const claims: readonly JsonObject[] = [
  ...[{ a: "b" }, { "a/b/c": "d" }, { a: "b c" }, { a: "x".repeat(64) }, { "": "x" }, { "-a": "b" }, { "/x": "z" }].map((labels) => ({
    labels,
  })),
  ...[{ a: "b" }, { "A/b": "x" }, { "a b": "c" }, { "x/y/z": "" }, { a: "{{90000 times abc}}" }].map((annotations) => ({ annotations })),
  ...[["x.io/a"], ["nope"], [""], ["orphan"], ["orphan", "foregroundDeletion"], ["a/b/c"]].map((finalizers) => ({ finalizers })),
  ...[{}, { uid: "" }, { kind: "Event" }, { apiVersion: "a/b/c" }, { controller: true }, { nope: 1 }].map((wrong) => ({
    ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "x", uid, ...wrong }],
  })),
  ...["other", ""].map((namespace) => ({ namespace })),
  ...[uid, ""].map((given) => ({ uid: given })),
  ...["", "0", "00", "1"].map((resourceVersion) => ({ resourceVersion })),
  ...[0, 7].map((generation) => ({ generation })),
  ...[null, "2020-01-01T00:00:00Z"].map((creationTimestamp) => ({ creationTimestamp })),
  { nope: 1 },
];

const writeOptions = ["", "", "", "fieldValidation=Strict", "fieldValidation=Nope", "fieldManager=", "dryRun=All", "dryRun=All&dryRun=All"];
const deleteOptions = [
  "",
  "",
  "propagationPolicy=Foreground",
  "propagationPolicy=Orphan",
  "orphanDependents=true",
  "orphanDependents=false",
  "gracePeriodSeconds=0",
  "gracePeriodSeconds=x",
  "dryRun=All",
  `uid=${uid}`,
];
const deleteBodies: readonly JsonValue[] = [
  {},
  { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", orphanDependents: false },
  { preconditions: { uid } },
  { gracePeriodSeconds: "x" },
  { dryRun: ["All", "x"] },
  { propagationPolicy: null, orphanDependents: true },
  [],
];

/** Requests about one object that differ in what they say of its metadata, and in how it is deleted. */
export function metadataSteps(dice: Dice, namespace: string, length: number): readonly Step[] {
  const { type, prefix, plural, content } = dice.of(kinds);
  const collection = `${prefix}/namespaces/${namespace}/${plural}`;
  const path = `${collection}/a`;
  const claimed = (): JsonObject => ({ ...dice.of(claims), ...(dice.onceIn(2) ? dice.of(claims) : {}) });
  const object = (): JsonObject => ({ ...type, ...dice.of<JsonObject>(content), metadata: { name: "a", ...claimed() } });
  const step = (): Step => {
    const query = dice.of(writeOptions);
    switch (dice.below(10)) {
      case 0:
      case 1:
        return { method: "POST", path: `${collection}?${query}`, body: object() };
      case 2:
      case 3:
        return { method: "PUT", path: `${path}?${query}`, body: object() };
      case 4:
      case 5:
        return {
          method: "PATCH",
          path: `${path}?${query}`,
          body: { metadata: claimed() },
          headers: { "content-type": "application/merge-patch+json" },
        };
      case 6:
      case 7:
        return {
          method: "PATCH",
          path: `${path}?fieldManager=${dice.of(["one", "two"])}${dice.of(["", "&force=true"])}`,
          body: object(),
          headers: { "content-type": "application/apply-patch+yaml" },
        };
      case 8:
        return { method: "DELETE", path: `${path}?${dice.of(deleteOptions)}`, ...(dice.onceIn(2) ? { body: dice.of(deleteBodies) } : {}) };
      default:
        return { method: "GET", path: dice.of([path, collection]) };
    }
  };
  return [{ method: "POST", path: collection, body: { ...type, ...content[0], metadata: { name: "a" } } }, ...Array.from({ length }, step)];
}

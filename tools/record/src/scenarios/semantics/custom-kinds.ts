import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const definitions = callsTo("/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
/** Each scenario has a group of its own: a real server forgets a definition only slowly. */
const group = (name: string): string => `${name}.semantics.example.com`;
const shirtsOf = (name: string) => callsTo(`/apis/${group(name)}/v1/namespaces/custom-kinds/shirts`);

const schema: JsonObject = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["color"],
      properties: {
        color: { type: "string", enum: ["red", "blue"] },
        size: { type: "integer", minimum: 1, maximum: 10, default: 5 },
        tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        note: { type: "string", nullable: true },
        port: { "x-kubernetes-int-or-string": true },
      },
    },
    status: { type: "object", properties: { worn: { type: "integer" }, selector: { type: "string" } } },
  },
};
const version: JsonObject = {
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: schema },
  subresources: {
    status: {},
    scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.worn", labelSelectorPath: ".status.selector" },
  },
  additionalPrinterColumns: [{ name: "Color", type: "string", jsonPath: ".spec.color" }],
  selectableFields: [{ jsonPath: ".spec.color" }],
};
const definition = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name: `shirts.${group(name)}` },
  spec: {
    group: group(name),
    scope: "Namespaced",
    names: { plural: "shirts", kind: "Shirt", shortNames: [`sh${name}`] },
    versions: [version],
    ...spec,
  },
});
/** Makes the kind, and waits until a real server has got round to serving it. */
const served = (name: string): readonly Step[] => [
  definitions.create(definition(name)),
  { ...definitions.get(`shirts.${group(name)}`), until: '"Established","status":"True"' },
  { ...shirtsOf(name).list(), until: '"ShirtList"' },
];
const shirt = (name: string, spec: JsonObject): JsonObject => ({ metadata: { name }, spec });

/** What may stand where a schema is expected, and beside it; much of it is something else. */
const nearlySchemas: readonly JsonObject[] = [
  { type: "array", items: true },
  { type: "array", items: [] },
  { type: "array", items: [null] },
  { type: "array", items: [5] },
  { type: "array", items: { type: "string", nope: 1 } },
  { type: "array", items: { type: 5 } },
  { type: "object", additionalProperties: [] },
  { type: "object", additionalProperties: "x" },
  { type: "object", additionalProperties: { type: "object", additionalProperties: { type: "string", minLength: "x" } } },
  { type: "object", additionalProperties: { type: "object", properties: { b: { type: "string", nope: 1 } } } },
  { type: "object", properties: { b: { type: "string", nope: 1 } } },
  { type: "object", dependencies: { a: "x" } },
  { type: "object", dependencies: { a: [5] } },
  { type: "string", enum: "x" },
];
const nearlySteps = nearlySchemas.flatMap((spec): readonly Step[] => {
  const openAPIV3Schema = { type: "object", properties: { spec } };
  const body = definition("nearly", { versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }] });
  const type = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  const applied = definitions.patch(`shirts.${group("nearly")}`, { ...type, ...body }, "apply");
  return [
    definitions.create(body, "?dryRun=All"),
    definitions.create(body, "?dryRun=All&fieldValidation=Strict"),
    { ...applied, path: `${applied.path}&dryRun=All` },
  ];
});

const life = shirtsOf("life");
const typed = (name: string, object: JsonObject): JsonObject => ({ apiVersion: `${group(name)}/v1`, kind: "Shirt", ...object });

const odd = shirtsOf("odd");
const oddPath = `/apis/${group("odd")}/v1/namespaces/custom-kinds/shirts`;

/** Custom kinds, as far as they differ from built-in ones; their schemas are recorded elsewhere. */
export const customKindScenarios: readonly Scenario[] = [
  {
    name: "K1 K14 life of a definition and its objects",
    steps: [
      ...served("life"),
      life.create(shirt("bare", { color: "red" })),
      life.create(typed("life", shirt("a", { color: "red", unknown: 1, free: { any: ["thing"] } }))),
      life.create(typed("life", shirt("b", { color: "green" }))),
      life.create(typed("life", shirt("c", {}))),
      life.create(typed("life", shirt("d", { color: "red", size: 11, tags: ["x", "x"] }))),
      life.create(typed("life", shirt("e", { color: "red", size: "large" }))),
      life.create(typed("life", shirt("f", { color: "blue", note: null, port: "http", size: null }))),
      life.get("a"),
      life.list(),
      life.list("?fieldSelector=spec.color%3Dblue"),
      life.list("?fieldSelector=spec.size%3D5"),
      life.list("?limit=1"),
      life.table(),
      { method: "GET", path: `/apis/${group("life")}/v1` },
      { method: "GET", path: `/apis/${group("life")}` },
      { method: "GET", path: `/apis/${group("life")}/v2/shirts` },
      { method: "GET", path: `/apis/${group("life")}/v2` },
      { method: "GET", path: `/apis/${group("life")}/v1/nopes` },
      { method: "GET", path: `/apis/${group("life")}/v1/namespaces/custom-kinds/shirts/a/nope` },
      life.replace("a", typed("life", shirt("a", { color: "blue" }))),
      life.patch("a", { spec: { color: "blue" } }),
      life.patch("a", { spec: { color: "blue" } }, "strategic"),
      life.patch("a", [{ op: "replace", path: "/spec/color", value: "blue" }], "json"),
      life.patch("a", typed("life", { spec: { color: "blue", size: 7 } }), "apply"),
      life.patch("a/status", { status: { worn: 3, selector: "a=b" }, spec: { color: "red" } }),
      life.patch("a", { status: { worn: 9 } }),
      life.get("a/scale"),
      life.patch("a/scale", { spec: { replicas: 6 } }),
      life.get("a"),
      {
        method: "GET",
        path: `/apis/${group("life")}/v1/namespaces/custom-kinds/shirts/a`,
        headers: { accept: "application/vnd.kubernetes.protobuf" },
      },
      {
        method: "POST",
        path: `/apis/${group("life")}/v1/namespaces/custom-kinds/shirts?fieldValidation=Strict`,
        body: typed("life", shirt("g", { color: "red", nope: 1 })),
      },
      {
        method: "POST",
        path: `/apis/${group("life")}/v1/namespaces/custom-kinds/shirts`,
        body: '{"apiVersion":"life.semantics.example.com/v1","kind":"Shirt","metadata":{"name":"h"},"spec":{"color":"red","color":"blue"}}',
      },
      life.create({ ...typed("life", shirt("i", { color: "red" })), kind: "Trousers" }),
      life.create({ ...typed("life", shirt("j", { color: "red" })), apiVersion: "v1" }),
      life.create(typed("life", shirt("K", { color: "red" }))),
      life.remove("a"),
      { method: "DELETE", path: `/apis/${group("life")}/v1/namespaces/custom-kinds/shirts` },
    ],
  },
  {
    name: "K9 W6 watching custom objects",
    steps: [
      ...served("watch"),
      shirtsOf("watch").create(typed("watch", shirt("a", { color: "red" }))),
      { method: "GET", path: `/apis/${group("watch")}/v1/namespaces/custom-kinds/shirts?watch=1`, live: true },
      {
        method: "GET",
        path: `/apis/${group("watch")}/v1/namespaces/custom-kinds/shirts?watch=1&fieldSelector=spec.color%3Dred&resourceVersion={{3.metadata.resourceVersion}}`,
        live: true,
      },
      {
        method: "GET",
        path: `/apis/${group("watch")}/v1/shirts?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
        live: true,
      },
      shirtsOf("watch").patch("a", { spec: { color: "blue" } }),
      shirtsOf("watch").remove("a"),
    ],
  },
  {
    name: "K1 K2 definitions that are refused",
    steps: [
      definitions.create({ metadata: { name: "wrong.example.com" }, spec: { ...(definition("refused")["spec"] as JsonObject) } }),
      definitions.create(definition("refused", { versions: [] })),
      definitions.create(definition("refused", { scope: "Galaxy" })),
      definitions.create(
        definition("refused", { versions: [{ name: "v1", served: true, storage: false, schema: { openAPIV3Schema: schema } }] }),
      ),
      definitions.create(definition("refused", { versions: [{ name: "v1", served: true, storage: true }] })),
      definitions.create(
        definition("refused", {
          versions: [
            { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", properties: { spec: {} } } } },
          ],
        }),
      ),
      definitions.create(
        definition("refused", { versions: [{ name: "V 1", served: true, storage: true, schema: { openAPIV3Schema: schema } }] }),
      ),
    ],
  },
  {
    name: "K15 methods on paths that are not for them, in a version that is deprecated",
    steps: [
      definitions.create(definition("odd", { versions: [{ ...version, deprecated: true }] })),
      { ...definitions.get(`shirts.${group("odd")}`), until: '"Established","status":"True"' },
      { ...odd.list(), until: '"ShirtList"' },
      { method: "PUT", path: oddPath, body: typed("odd", shirt("a", { color: "red" })) },
      { method: "PATCH", path: oddPath, body: { spec: { color: "red" } } },
      { method: "POST", path: `${oddPath}/a`, body: typed("odd", shirt("a", { color: "red" })) },
      { method: "POST", path: `${oddPath}/a`, body: typed("odd", shirt("a", { color: "red" })) },
      { method: "POST", path: `${oddPath}/b`, body: typed("odd", shirt("c", { color: "red" })) },
      { method: "POST", path: `${oddPath}/b`, body: typed("odd", { spec: { color: "red" } }) },
      { method: "POST", path: `${oddPath}/a/status`, body: typed("odd", shirt("a", { color: "red" })) },
      { method: "DELETE", path: `${oddPath}/a/status` },
      { method: "GET", path: `${oddPath}/a/nope` },
      { method: "PUT", path: `${oddPath}/a/nope`, body: typed("odd", shirt("a", { color: "red" })) },
      { method: "OPTIONS", path: oddPath },
      { method: "PUT", path: `/apis/${group("odd")}/v1/shirts`, body: typed("odd", shirt("a", { color: "red" })) },
      { method: "POST", path: `/apis/${group("odd")}/v1/shirts/a`, body: typed("odd", shirt("a", { color: "red" })) },
    ],
  },
  {
    name: "K16 definitions whose names are to be generated, or are missing",
    steps: [
      definitions.create({ ...definition("generated"), metadata: { generateName: "shirt" } }),
      definitions.create({ ...definition("generated"), metadata: { generateName: `shirts.${group("generated")}` } }),
      definitions.create({ ...definition("generated"), metadata: {} }),
    ],
  },
  { name: "K1 K17 definitions with something else where a schema is expected, and with fields that nobody knows", steps: nearlySteps },
];

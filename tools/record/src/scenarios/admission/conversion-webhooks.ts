import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { standInOrigin } from "../../webhooks/stand-in-webhooks.ts";
import { callsTo } from "../calls.ts";
import type { Calls } from "../calls.ts";

const definitions = callsTo("/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
/** Each scenario has a group of its own: a real server forgets a definition only slowly. */
const group = (name: string): string => `${name}.conversion.example.com`;
const shirts = (name: string, version: string): Calls => callsTo(`/apis/${group(name)}/${version}/namespaces/conversion-webhooks/shirts`);

const version = (name: string, field: string, storage: boolean): JsonObject => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: { [field]: { type: "string" }, size: { type: "integer", ...(storage ? { default: 5 } : {}) } },
        },
      },
    },
  },
  subresources: { status: {} },
});
const definition = (name: string, path: string): JsonObject => ({
  metadata: { name: `shirts.${group(name)}` },
  spec: {
    group: group(name),
    scope: "Namespaced",
    names: { plural: "shirts", kind: "Shirt" },
    versions: [version("v1", "color", true), version("v2", "colour", false)],
    conversion: { strategy: "Webhook", webhook: { clientConfig: { url: `${standInOrigin}/${path}` }, conversionReviewVersions: ["v1"] } },
  },
});
/** Makes the kind, and waits until a real server has got round to serving it. */
const served = (name: string, path: string): readonly Step[] => [
  definitions.create(definition(name, path)),
  { ...definitions.get(`shirts.${group(name)}`), until: '"Established","status":"True"' },
  { ...shirts(name, "v1").list(), until: '"ShirtList"' },
  { ...shirts(name, "v2").list(), until: '"ShirtList"' },
];
const shirt = (name: string, of: string, spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: `${group(of)}/${"colour" in spec ? "v2" : "v1"}`,
  kind: "Shirt",
  metadata: { name, ...more },
  spec,
});

/** Applies a shirt of the scenario `owned` as a manager, in the version that it is of. */
const appliedBy = (manager: string, spec: JsonObject, more: JsonObject = {}): Step => {
  const step = shirts("owned", "colour" in spec ? "v2" : "v1").patch("a", shirt("a", "owned", spec, more), "apply");
  return { ...step, path: step.path.replace("fieldManager=applier", `fieldManager=${manager}&force=true`) };
};

/** What a webhook that converts badly makes of a read and of a write. */
const badly = (path: string): Scenario => ({
  name: `V3 ${path}`,
  steps: [
    ...served(path, path),
    shirts(path, "v1").create(shirt("a", path, { color: "red" }, { labels: { a: "b" } })),
    shirts(path, "v2").create(shirt("b", path, { colour: "red" })),
    shirts(path, "v1").list(),
  ],
});

const [first, second] = [shirts("life", "v1"), shirts("life", "v2")];

/** Custom kinds whose versions a webhook converts. */
export const conversionWebhookScenarios: readonly Scenario[] = [
  {
    name: "V1 two versions of the same objects",
    steps: [
      ...served("life", "convert"),
      first.create(shirt("a", "life", { color: "red" })),
      second.create(shirt("b", "life", { colour: "blue", size: 7 })),
      second.create(shirt("c", "life", { colour: "blue" }), "?dryRun=All"),
      first.get("b"),
      second.get("a"),
      second.list(),
      first.list(),
      second.list("?limit=1"),
      second.table(),
      second.patch("a", { spec: { colour: "green" } }),
      first.patch("a", { spec: { color: "black" } }),
      second.replace("b", shirt("b", "life", { colour: "white" }, { resourceVersion: "{{5.metadata.resourceVersion}}" })),
      second.patch("a", { apiVersion: `${group("life")}/v2`, kind: "Shirt", spec: { colour: "black", size: 1 } }, "apply"),
      first.patch("a", { apiVersion: `${group("life")}/v1`, kind: "Shirt", spec: { color: "white" } }, "apply"),
      second.patch("a/status", { status: {} }),
      first.get("a"),
      second.remove("a"),
      second.remove("b"),
      first.list(),
    ],
  },
  {
    name: "V6 owners in two versions",
    steps: [
      ...served("owned", "convert"),
      appliedBy("one", { color: "red", size: 1 }, { labels: { a: "b" } }),
      appliedBy("two", { colour: "red" }),
      appliedBy("one", { color: "red", size: 1 }),
      appliedBy("one", { color: "red" }),
      appliedBy("one", { colour: "red" }),
      appliedBy("two", { colour: "blue" }, { labels: { c: "d" } }),
      appliedBy("two", { color: "blue" }, { annotations: { e: "f" } }),
      appliedBy("two", { colour: "blue" }),
      appliedBy("one", { color: "blue" }),
      shirts("owned", "v1").get("a"),
    ],
  },
  {
    name: "V2 watches in two versions",
    steps: [
      ...served("seen", "convert"),
      { method: "GET", path: `/apis/${group("seen")}/v2/namespaces/conversion-webhooks/shirts?watch=1`, live: true },
      { method: "GET", path: `/apis/${group("seen")}/v1/namespaces/conversion-webhooks/shirts?watch=1`, live: true },
      shirts("seen", "v1").create(shirt("a", "seen", { color: "red" })),
      shirts("seen", "v2").create(shirt("b", "seen", { colour: "red" })),
      shirts("seen", "v1").patch("a", { spec: { color: "blue" } }),
      shirts("seen", "v1").remove("a"),
    ],
  },
  {
    name: "V4 what a webhook may change of metadata",
    steps: [
      ...served("labels", "convert-labels"),
      shirts("labels", "v1").create(shirt("a", "labels", { color: "red" }, { labels: { a: "b" } })),
      shirts("labels", "v2").get("a"),
      shirts("labels", "v1").get("a"),
      shirts("labels", "v2").create(shirt("b", "labels", { colour: "red" })),
      shirts("labels", "v1").get("b"),
    ],
  },
  {
    name: "V5 objects that cannot be converted",
    steps: [
      ...served("stuck", "convert-refuse"),
      shirts("stuck", "v1").create(shirt("a", "stuck", { color: "red" })),
      shirts("stuck", "v1").create(shirt("b", "stuck", { color: "red" })),
      shirts("stuck", "v2").get("a"),
      shirts("stuck", "v2").patch("a", { spec: { colour: "blue" } }),
      shirts("stuck", "v2").list("?limit=1"),
      shirts("stuck", "v1").patch("a", { spec: { color: "blue" } }),
      shirts("stuck", "v1").remove("a"),
    ],
  },
  ...[
    "convert-name",
    "convert-namespace",
    "convert-uid",
    "convert-kind",
    "convert-version",
    "convert-bad-label",
    "convert-odd-label",
    "convert-no-metadata",
    "convert-nothing",
    "convert-refuse",
    "convert-silent",
    "convert-wrong-uid",
    "broken-server",
    "no-json",
  ].map(badly),
];

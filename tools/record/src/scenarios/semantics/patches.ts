import type { JsonObject, JsonValue } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const path = "/api/v1/namespaces/patches/configmaps";
const maps = callsTo(path);
const deployments = callsTo("/apis/apps/v1/namespaces/patches/deployments");
const sample: JsonObject = { metadata: { name: "a", labels: { l: "1" } }, data: { k: "v", other: "o" } };
const container = (name: string): JsonObject => ({ name, image: name });
const web: JsonObject = {
  metadata: { name: "web" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ ...container("one"), env: [{ name: "A", value: "1" }], ports: [{ containerPort: 80 }] }, container("two")] },
    },
  },
};
const json = (...operations: readonly JsonValue[]): Step => maps.patch("a", operations, "json");
const merge = (body: JsonValue): Step => maps.patch("a", body);
const strategic = (spec: JsonObject): Step => deployments.patch("web", { spec: { template: { spec } } }, "strategic");

/** Patches of three types; the fourth has scenarios of its own. */
export const patchScenarios: readonly Scenario[] = [
  {
    name: "C8 json patch",
    steps: [
      maps.create(sample),
      json({ op: "add", path: "/data/new", value: "n" }, { op: "remove", path: "/data/other" }),
      json({ op: "replace", path: "/data/k", value: "w" }),
      json({ op: "copy", from: "/data/k", path: "/data/copied" }),
      json({ op: "move", from: "/data/copied", path: "/data/moved" }),
      json({ op: "test", path: "/data/k", value: "w" }, { op: "add", path: "/data/tested", value: "yes" }),
      json({ op: "add", path: "/metadata/annotations", value: { "a/b": "1", "t~l": "2" } }),
      json({ op: "add", path: "/metadata/finalizers", value: ["example.com/b"] }),
      json({ op: "add", path: "/metadata/finalizers/0", value: "example.com/a" }),
      json({ op: "add", path: "/metadata/finalizers/-", value: "example.com/c" }),
      json({ op: "remove", path: "/metadata/finalizers/1" }),
      json(),
    ],
  },
  {
    name: "C8 json patch on missing path",
    steps: [
      maps.create(sample),
      json({ op: "remove", path: "/data/nope" }),
      json({ op: "replace", path: "/data/nope", value: "x" }),
      json({ op: "test", path: "/data/k", value: "wrong" }),
      json({ op: "test", path: "/data/nope", value: "x" }),
      json({ op: "test", path: "/data/nope", value: null }),
      json({ op: "add", path: "/nope/deeper", value: "x" }),
      json({ op: "copy", from: "/data/nope", path: "/data/k" }),
      json({ op: "move", from: "/data/nope", path: "/data/k" }),
      json({ op: "add", path: "/metadata/finalizers/5", value: "example.com/a" }),
      json({ op: "frobnicate", path: "/data/k" }),
      json({ op: "add", path: "data/k", value: "x" }),
      json({ op: "add" }),
      json({ op: "add", path: "/data/k" }),
      json({ path: "/data/k", value: "x" }),
      json({ op: "remove", path: "" }),
      json({ op: "replace", path: "", value: { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" }, data: { all: "new" } } }),
      json({ op: "add", path: "/data/k", value: 5 }),
      json({ op: "add", path: "/metadata/name", value: "b" }),
    ],
  },
  {
    name: "C8 json patch that is none",
    steps: [
      maps.create(sample),
      maps.patch("a", {}, "json"),
      maps.patch("a", "nonsense", "json"),
      maps.patch("a", "", "json"),
      maps.patch("a", "null", "json"),
      maps.patch("a", '"text"', "json"),
      maps.patch("a", [1, 2], "json"),
      maps.patch("a", ["add"], "json"),
      maps.patch("a", [null], "json"),
      maps.patch("a", [{ op: 5, path: "/data" }], "json"),
      maps.patch("a", '[{"op":"add","path":"/data/x","value":"1"}] trailing', "json"),
    ],
  },
  {
    name: "C8 merge patch",
    steps: [
      maps.create(sample),
      merge({ data: { k: null, added: "x" } }),
      merge({ data: null }),
      merge({ metadata: { labels: { l: null, m: "2" } } }),
      merge({ data: { a: "1", b: "2" }, metadata: { annotations: { n: "1" } } }),
      merge({ data: {} }),
      merge({ data: ["a"] }),
      merge({ data: "text" }),
      merge({ metadata: null }),
      merge({ metadata: { labels: { bad: "not valid!" } } }),
      merge({ metadata: { name: "a", namespace: "patches", uid: "{{0.metadata.uid}}" }, data: { k: "again" } }),
    ],
  },
  {
    name: "C8 merge patch that is none",
    steps: [
      maps.create(sample),
      maps.patch("a", "[]"),
      maps.patch("a", "null"),
      maps.patch("a", "5"),
      maps.patch("a", '"text"'),
      maps.patch("a", "{"),
      maps.patch("a", ""),
      maps.patch("a", "nonsense"),
      maps.patch("a", "[]", "strategic"),
      maps.patch("a", "null", "strategic"),
      maps.patch("a", "{", "strategic"),
      maps.patch("a", "", "strategic"),
    ],
  },
  {
    name: "C9 strategic merge patch",
    steps: [
      deployments.create(web),
      strategic({ containers: [{ name: "one", image: "new" }] }),
      strategic({ containers: [{ name: "three", image: "three" }] }),
      strategic({ containers: [{ name: "two", $patch: "delete" }] }),
      strategic({ containers: [{ name: "one", env: [{ name: "B", value: "2" }], ports: [{ containerPort: 443 }] }] }),
      strategic({ $setElementOrder_containers: [] }),
      strategic({ "$setElementOrder/containers": [{ name: "three" }, { name: "one" }], containers: [{ name: "one", image: "ordered" }] }),
      strategic({ containers: [{ $patch: "replace" }, container("only")] }),
      strategic({ tolerations: [{ key: "a", operator: "Exists" }] }),
      strategic({ nodeSelector: { a: "b" } }),
      strategic({ nodeSelector: { $patch: "replace", c: "d" } }),
      deployments.patch("web", { spec: { strategy: { type: "Recreate", rollingUpdate: null } } }, "strategic"),
      deployments.patch("web", { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } }, "strategic"),
      deployments.patch("web", { metadata: { finalizers: ["example.com/a"] } }, "strategic"),
      deployments.patch("web", { metadata: { finalizers: ["example.com/b"] } }, "strategic"),
      deployments.patch("web", { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a"] } }, "strategic"),
      deployments.patch("web", { metadata: { finalizers: null } }, "strategic"),
    ],
  },
  {
    name: "C9 strategic merge patch that does not fit",
    steps: [
      deployments.create(web),
      strategic({ containers: [{ image: "no name" }] }),
      strategic({ containers: [{ name: "one", $patch: "frobnicate" }] }),
      strategic({ containers: { name: "one" } }),
      strategic({ containers: "text" }),
      strategic({ containers: ["one"] }),
      deployments.patch("web", { spec: { replicas: "three" } }, "strategic"),
      deployments.patch("web", { spec: "text" }, "strategic"),
      deployments.patch("web", { spec: { selector: { matchLabels: { other: "x" } } } }, "strategic"),
      deployments.patch("web", { $patch: "frobnicate" }, "strategic"),
      deployments.patch("web", { nope: { deep: 1 } }, "strategic"),
      deployments.patch("web", { metadata: { finalizers: "text" } }, "strategic"),
      deployments.patch("web", { spec: { template: null } }, "strategic"),
    ],
  },
  {
    name: "C8 patches of a status and a scale",
    steps: [
      deployments.create(web),
      deployments.patch("web/scale", { spec: { replicas: 4 } }),
      deployments.patch("web/scale", [{ op: "replace", path: "/spec/replicas", value: 5 }], "json"),
      deployments.patch("web/scale", { spec: { replicas: 6 } }, "strategic"),
      deployments.get("web/scale"),
      deployments.replace("web/scale", { metadata: { name: "web" }, spec: { replicas: 7 } }),
      deployments.replace("web/scale", { metadata: { name: "web", resourceVersion: "1" }, spec: { replicas: 8 } }),
      deployments.replace("web/scale", { metadata: { name: "other" }, spec: { replicas: 8 } }),
      deployments.replace("web/scale", { kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "web" } }),
      deployments.patch("web/scale", { spec: { replicas: -1 } }),
      deployments.patch("web/scale", { spec: { replicas: "x" } }),
      deployments.patch("web/status", { status: { replicas: 3 } }, "strategic"),
      deployments.patch("web/status", [{ op: "add", path: "/status/readyReplicas", value: 2 }], "json"),
      deployments.get("web"),
    ],
  },
];

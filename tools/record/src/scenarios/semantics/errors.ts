import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const space = "/api/v1/namespaces/errors";
const path = `${space}/configmaps`;
const maps = callsTo(path);
const leases = callsTo("/apis/coordination.k8s.io/v1/namespaces/errors/leases");
const deployments = callsTo("/apis/apps/v1/namespaces/errors/deployments");
const spaces = callsTo("/api/v1/namespaces");
const send = (body: string, at = path): Step => ({ method: "POST", path: at, body });
const named = (name: string, rest: JsonObject = {}): JsonObject => ({ metadata: { name }, ...rest });

/** What the server refuses, and in which words. */
export const errorScenarios: readonly Scenario[] = [
  {
    name: "E NotFound names the resource",
    steps: [
      maps.get("nope"),
      maps.replace("nope", named("nope")),
      maps.patch("nope", { data: { a: "b" } }),
      maps.patch("nope", [{ op: "add", path: "/data", value: {} }], "json"),
      maps.patch("nope", { data: { a: "b" } }, "strategic"),
      maps.remove("nope"),
      deployments.get("nope"),
      deployments.get("nope/status"),
      deployments.get("nope/scale"),
      deployments.remove("nope"),
      spaces.get("no-such-namespace"),
    ],
  },
  {
    name: "E namespaces that are not there or are ending",
    steps: [
      callsTo("/api/v1/namespaces/no-such/configmaps").create(named("a")),
      callsTo("/api/v1/namespaces/no-such/configmaps").list(),
      callsTo("/api/v1/namespaces/no-such/configmaps").get("a"),
      callsTo("/api/v1/namespaces/no-such/configmaps").remove("a"),
      callsTo("/api/v1/namespaces/no-such/configmaps").patch("a", { data: {} }, "apply"),
      spaces.create(named("ending")),
      callsTo("/api/v1/namespaces/ending/configmaps").create(named("before")),
      spaces.remove("ending"),
      callsTo("/api/v1/namespaces/ending/configmaps").create(named("after")),
      callsTo("/apis/apps/v1/namespaces/ending/deployments").create(named("after")),
      callsTo("/api/v1/namespaces/ending/configmaps").patch("before", { data: { still: "possible" } }),
      callsTo("/api/v1/namespaces/ending/configmaps").remove("before"),
      spaces.create(named("ending")),
    ],
  },
  {
    name: "E namespaces that may not be deleted",
    steps: [spaces.remove("default"), spaces.remove("kube-system"), spaces.remove("kube-public"), spaces.create(named("Not_valid"))],
  },
  {
    name: "E AlreadyExists",
    steps: [
      maps.create(named("a")),
      maps.create(named("a")),
      maps.create({ metadata: { name: "held", finalizers: ["example.com/hold"] } }),
      maps.remove("held"),
      maps.create(named("held")),
      deployments.create(
        named("a", {
          spec: {
            selector: { matchLabels: { a: "b" } },
            template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
          },
        }),
      ),
      deployments.create(
        named("a", {
          spec: {
            selector: { matchLabels: { a: "b" } },
            template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
          },
        }),
      ),
    ],
  },
  {
    name: "E Conflict over resourceVersion and uid",
    steps: [
      maps.create(named("a")),
      maps.patch("a", { data: { k: "v" } }),
      maps.replace("a", { metadata: { name: "a", resourceVersion: "{{0.metadata.resourceVersion}}" } }),
      maps.replace("a", { metadata: { name: "a", resourceVersion: "1" } }),
      maps.replace("a", { metadata: { name: "a", resourceVersion: "abc" } }),
      maps.replace("a", { metadata: { name: "a", resourceVersion: "0" } }),
      maps.replace("a", { metadata: { name: "a", uid: "8a4a4a0e-0000-4000-8000-000000000000" } }),
      maps.patch("a", { metadata: { resourceVersion: "1" } }),
      maps.patch("a", { metadata: { uid: "8a4a4a0e-0000-4000-8000-000000000000" } }),
      maps.patch("a", { metadata: { resourceVersion: "{{1.metadata.resourceVersion}}" }, data: { k: "w" } }),
      maps.replace("a", { metadata: { name: "a", uid: "{{0.metadata.uid}}" }, data: { k: "x" } }),
    ],
  },
  {
    name: "E resourceVersion where it must or must not be",
    steps: [
      leases.create(named("a")),
      leases.replace("a", named("a")),
      leases.replace("a", { metadata: { name: "a", resourceVersion: "{{0.metadata.resourceVersion}}" }, spec: { holderIdentity: "me" } }),
      maps.create({ metadata: { name: "a", resourceVersion: "5" } }),
      maps.create({ metadata: { name: "a", resourceVersion: "" } }),
      maps.create({
        metadata: {
          name: "b",
          uid: "8a4a4a0e-0000-4000-8000-000000000000",
          generation: 7,
          creationTimestamp: "2020-01-01T00:00:00Z",
          selfLink: "/x",
        },
      }),
    ],
  },
  {
    name: "E Invalid names the Kind and every cause",
    steps: [
      maps.create(named("A_b")),
      maps.create({ metadata: { name: "a", labels: { "bad key!": "x" }, annotations: { "-x": "y" } } }),
      maps.create({ metadata: { name: "a", labels: { ok: "bad value!" } } }),
      maps.create({ metadata: { name: "a" }, data: { "bad key!": "x" } }),
      maps.create({ metadata: {} }),
      maps.create({}),
      maps.create({ metadata: { name: "{{254 times a}}" } }),
      maps.create({ metadata: { name: "a", finalizers: ["no-slash", "a/b/c"] } }),
      maps.create({ metadata: { name: "a", ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] } }),
      maps.create({
        metadata: {
          name: "a",
          ownerReferences: [
            { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "1", controller: true },
            { apiVersion: "v1", kind: "ConfigMap", name: "y", uid: "2", controller: true },
          ],
        },
      }),
      maps.create({ metadata: { name: "a", annotations: { large: "{{262145 times x}}" } } }),
      maps.create({ metadata: { generateName: "Bad_" } }),
      deployments.create(named("a")),
      deployments.create(
        named("a", {
          spec: {
            replicas: -1,
            selector: { matchLabels: { a: "b" } },
            template: { metadata: { labels: { c: "d" } }, spec: { containers: [] } },
          },
        }),
      ),
      maps.create({ metadata: { name: "dots.are.fine" } }),
      maps.create({ metadata: { name: "a", deletionTimestamp: "2020-01-01T00:00:00Z", deletionGracePeriodSeconds: 3 } }),
    ],
  },
  {
    name: "E bodies that cannot be decoded",
    steps: [
      send(""),
      send("{"),
      send("nonsense"),
      send("null"),
      send("[]"),
      send('"text"'),
      send("5"),
      send("{}{}"),
      send('{"metadata":{"name":"a"}'),
      send('{"metadata":{"name":5}}'),
      send('{"metadata":"a"}'),
      send('{"metadata":{"name":"a","labels":{"x":1}}}'),
      send('{"metadata":{"name":"a","labels":["x"]}}'),
      send('{"metadata":{"name":"a"},"data":"text"}'),
      send('{"metadata":{"name":"a"},"data":{"k":{"deep":1}}}'),
      send('{"metadata":{"name":"a"},"binaryData":{"k":"not base64!"}}'),
      send('{"metadata":{"name":"a"},"immutable":"yes"}'),
      send('{"metadata":{"name":"a","creationTimestamp":"yesterday"}}'),
      send('{"metadata":{"name":"a","creationTimestamp":5}}'),
      send('{"metadata":{"name":"a","generation":1.5}}'),
      send('{"metadata":{"name":"a","generation":99999999999999999999}}'),
      send('{"kind":5}'),
      send('{"apiVersion":{}}'),
      send('{"metadata":{"name":"a"},"spec":{"replicas":"three"}}', "/apis/apps/v1/namespaces/errors/deployments"),
      send('{"metadata":{"name":"a"},"spec":{"replicas":3.5}}', "/apis/apps/v1/namespaces/errors/deployments"),
      send('{"metadata":{"name":"a"},"spec":{"replicas":3000000000}}', "/apis/apps/v1/namespaces/errors/deployments"),
      send(
        '{"metadata":{"name":"a"},"spec":{"template":{"spec":{"containers":{"name":"c"}}}}}',
        "/apis/apps/v1/namespaces/errors/deployments",
      ),
      send('{"metadata":{"name":"a"},"spec":{"template":{"spec":{"containers":["c"]}}}}', "/apis/apps/v1/namespaces/errors/deployments"),
      send(
        '{"metadata":{"name":"a"},"spec":{"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":"lots"}}}]}}}}',
        "/apis/apps/v1/namespaces/errors/deployments",
      ),
    ],
  },
  {
    name: "E another kind, version, name or namespace than the path says",
    steps: [
      maps.create({ kind: "Secret", apiVersion: "v1", metadata: { name: "a" } }),
      maps.create({ kind: "Pod", metadata: { name: "a" } }),
      maps.create({ kind: "Nope", apiVersion: "v1", metadata: { name: "a" } }),
      maps.create({ kind: "ConfigMap", apiVersion: "v2", metadata: { name: "a" } }),
      maps.create({ kind: "ConfigMap", apiVersion: "apps/v1", metadata: { name: "a" } }),
      maps.create({ kind: "ConfigMap", apiVersion: "a/b/c", metadata: { name: "a" } }),
      maps.create({ kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "a" } }),
      maps.create({ kind: "configmap", apiVersion: "v1", metadata: { name: "a" } }),
      maps.create({ apiVersion: "v1", metadata: { name: "only-version" } }),
      maps.create({ kind: "ConfigMap", metadata: { name: "only-kind" } }),
      maps.create({ metadata: { name: "a", namespace: "default" } }),
      maps.create({ metadata: { name: "same", namespace: "errors" } }),
      maps.create(named("a")),
      maps.replace("a", named("b")),
      maps.replace("a", { metadata: {} }),
      maps.replace("a", { metadata: { name: "a", namespace: "default" } }),
      maps.replace("a", { kind: "Secret", apiVersion: "v1", metadata: { name: "a" } }),
      maps.patch("a", { metadata: { name: "b" } }),
      maps.patch("a", { metadata: { namespace: "default" } }),
      maps.patch("a", { kind: "Secret" }),
      maps.patch("a", { apiVersion: "v2" }),
      spaces.create({ metadata: { name: "in-another", namespace: "errors" } }),
      deployments.create({ kind: "ReplicaSet", apiVersion: "apps/v1", metadata: { name: "a" } }),
      callsTo("/apis/autoscaling/v2/namespaces/errors/horizontalpodautoscalers").create({
        kind: "HorizontalPodAutoscaler",
        apiVersion: "autoscaling/v1",
        metadata: { name: "a" },
      }),
    ],
  },
  {
    name: "E options that are refused",
    steps: [
      maps.create(named("a"), "?dryRun=Some"),
      maps.create(named("a"), "?dryRun="),
      maps.create(named("a"), "?dryRun=All&dryRun=All"),
      maps.create(named("a"), "?fieldValidation=Maybe"),
      maps.create(named("a"), "?fieldManager={{129 times m}}"),
      maps.create(named("a"), "?fieldManager=tab%09"),
      maps.create(named("a")),
      { method: "PATCH", path: `${path}/a?force=true`, body: {} },
      { method: "PATCH", path: `${path}/a?dryRun=None`, body: {} },
      { method: "DELETE", path: `${path}/a?propagationPolicy=Nope` },
      { method: "DELETE", path: `${path}/a?gracePeriodSeconds=soon` },
      { method: "DELETE", path: `${path}/a?dryRun=None` },
    ],
  },
];

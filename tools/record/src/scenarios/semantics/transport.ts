import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const space = "/api/v1/namespaces/transport";
const maps = callsTo(`${space}/configmaps`);
const path = `${space}/configmaps`;
const sample: JsonObject = { metadata: { name: "a" }, data: { k: "v" } };

/** A request without a body. */
const ask = (method: Step["method"], at: string): Step => ({ method, path: at });
const accepting = (accept: string, at: string): Step => ({ method: "GET", path: at, headers: { accept } });
const sending = (type: string, body: string): Step => ({ method: "POST", path, body, headers: { "content-type": type } });
const patching = (type: string): Step => ({ method: "PATCH", path: `${path}/a`, body: {}, headers: { "content-type": type } });

/** Paths, methods, media types and limits. */
export const transportScenarios: readonly Scenario[] = [
  {
    name: "T2 paths of objects, lists and subresources",
    steps: [
      maps.create(sample),
      maps.get("a"),
      ask("GET", "/api/v1/configmaps?fieldSelector=metadata.namespace=transport"),
      ask("GET", `${path}/`),
      ask("GET", `${path}/a/`),
      ask("GET", `${path}/%61`),
      ask("GET", space),
      ask("GET", `${space}/status`),
      ask("HEAD", `${path}/a`),
      ask("HEAD", path),
      ask("HEAD", `${path}/nope`),
    ],
  },
  {
    name: "T2 watch paths of old",
    steps: [
      maps.create(sample),
      maps.create({ metadata: { name: "b" } }),
      ask("GET", "/api/v1/watch/namespaces/transport/configmaps?timeoutSeconds=1"),
      ask("GET", "/api/v1/watch/namespaces/transport/configmaps/b?timeoutSeconds=1"),
      ask("GET", `${path}?watch=0&fieldSelector=metadata.name=b`),
      ask("GET", `${path}?watch=false&limit=1`),
      ask("GET", `${path}/b?watch=1&timeoutSeconds=1`),
    ],
  },
  {
    name: "T3 unknown paths",
    steps: [
      ask("GET", "/nope"),
      ask("GET", "/apis/nope.example.com/v1/things"),
      ask("GET", "/apis/nope.example.com/v1"),
      ask("GET", "/apis/nope.example.com"),
      ask("GET", "/apis/apps/v9/deployments"),
      ask("GET", "/apis/apps/v9"),
      ask("GET", "/apis/apps/v1/nopes"),
      ask("GET", "/api/v2/pods"),
      ask("GET", "/api/v2"),
      ask("GET", "/api/v1/nopes"),
      ask("GET", `${space}/nopes`),
      ask("GET", `${space}/ConfigMaps`),
      ask("GET", `${space}/nopes/a`),
      ask("GET", `${path}/a/nope`),
      ask("GET", `${path}/a/status`),
      ask("GET", "/api/v1/configmaps/a"),
      ask("GET", `${space}/nodes`),
      ask("GET", `${space}/nodes/a`),
      ask("POST", "/nope"),
      ask("DELETE", "/apis/nope.example.com/v1/things/a"),
    ],
  },
  {
    name: "T4 wrong methods",
    steps: [
      { method: "POST", path: `${path}/a`, body: sample },
      { method: "PUT", path, body: sample },
      { method: "PATCH", path, body: {} },
      { method: "POST", path: "/api/v1/configmaps", body: sample },
      ask("DELETE", "/api/v1/configmaps"),
      { method: "POST", path: "/api/v1", body: {} },
      { method: "PUT", path: "/version", body: {} },
      ask("DELETE", "/apis"),
      ask("GET", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"),
      ask("DELETE", `${space}/status`),
      ask("GET", `${space}/finalize`),
      { method: "POST", path: "/apis/apps/v1/namespaces/transport/deployments/a/scale", body: {} },
      ask("DELETE", "/apis/apps/v1/namespaces/transport/deployments/a/status"),
      ask("GET", `${space}/pods/a/eviction`),
      ask("OPTIONS", path),
    ],
  },
  {
    name: "T4 415",
    steps: [
      maps.create(sample),
      sending("text/plain", "hello"),
      sending("application/cbor", "hello"),
      sending("application/merge-patch+json", "{}"),
      sending("nonsense", "{}"),
      sending("application/json; charset=utf-8", '{"metadata":{"name":"charset"}}'),
      sending("APPLICATION/JSON", '{"metadata":{"name":"capitals"}}'),
      patching("application/json"),
      patching("application/yaml"),
      patching("text/plain"),
      patching("application/apply-patch+cbor"),
      { method: "PUT", path: `${path}/a`, body: "hello", headers: { "content-type": "text/plain" } },
      { method: "DELETE", path: `${path}/nope`, body: "hello", headers: { "content-type": "text/plain" } },
    ],
  },
  {
    name: "T5 accepted types",
    steps: [
      maps.create(sample),
      accepting("*/*", `${path}/a`),
      accepting("application/*", `${path}/a`),
      accepting("application/json, */*", `${path}/a`),
      accepting("text/html,application/xhtml+xml,*/*;q=0.8", `${path}/a`),
      accepting("application/json;q=0.1, text/plain", `${path}/a`),
      accepting("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", `${path}/a`),
      accepting("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1", `${path}/a`),
      accepting("application/json;as=Table;g=meta.k8s.io;v=v1beta1,application/json", `${path}/a`),
      accepting("application/cbor,application/json", `${path}/a`),
      accepting("application/json;stream=watch", `${path}/a`),
      accepting("application/json;unknown=parameter", `${path}/a`),
      accepting("application/json;pretty=1", `${path}/a`),
    ],
  },
  {
    name: "T5 406",
    steps: [
      maps.create(sample),
      accepting("text/html", `${path}/a`),
      accepting("application/cbor", `${path}/a`),
      accepting("application/json;as=Nope;g=meta.k8s.io;v=v1", `${path}/a`),
      accepting("application/json;as=Table;g=meta.k8s.io;v=v9", `${path}/a`),
      accepting("application/json;as=Table;g=nope;v=v1", `${path}/a`),
      accepting("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", `${path}/a`),
      accepting("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", path),
      accepting("text/html", path),
      accepting("text/html", `${path}?watch=1&timeoutSeconds=1`),
      { method: "POST", path, body: { metadata: { name: "b" } }, headers: { accept: "text/html" } },
      accepting("text/html", "/apis/apps/v1"),
      accepting("text/html", "/version"),
      accepting("text/html", "/healthz"),
    ],
  },
  {
    name: "T6 YAML bodies",
    steps: [
      sending("application/yaml", "metadata:\n  name: plain\ndata:\n  k: v\n"),
      sending("application/yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flow, labels: {on: 'true'}}\n"),
      sending("application/yaml", "metadata:\n  name: twice\ndata:\n  k: v\n  k: w\n"),
      sending("application/yaml", "metadata:\n  name: unknown\nfoo: bar\n"),
      sending("application/yaml", "metadata:\n  name: number\ndata:\n  k: 1\n"),
      sending("application/yaml", "metadata: &m\n  name: anchor\ndata: {k: v}\n"),
      sending("application/yaml", '{"metadata":{"name":"json-in-yaml"}}'),
      sending("application/yaml", "- a\n- b\n"),
      sending("application/yaml", ""),
      {
        method: "PUT",
        path: `${path}/plain`,
        body: "metadata:\n  name: plain\ndata:\n  k: changed\n",
        headers: { "content-type": "application/yaml" },
      },
    ],
  },
  {
    name: "T8 pretty, timeouts and limits",
    steps: [
      maps.create(sample),
      ask("GET", `${path}/a?pretty=true`),
      ask("GET", `${path}/a?pretty=false`),
      ask("GET", `${path}/a?timeout=5s`),
      ask("GET", `${path}/a?timeout=abc`),
      ask("GET", `${path}?timeout=abc`),
      ask("GET", `${path}/a?nonsense=1&alsoNonsense`),
      maps.create({ metadata: { name: "large" }, data: { k: "{{3200000 times x}}" } }),
      maps.patch("a", '[{{10001 times {"op":"test","path":"/data/k","value":"v"},}}{"op":"remove","path":"/data"}]', "json"),
      maps.create({ metadata: { name: "large" }, data: { k: "{{1100000 times x}}" } }),
    ],
  },
  {
    name: "T9 health and version",
    steps: [
      ask("GET", "/healthz"),
      ask("GET", "/livez"),
      ask("GET", "/readyz"),
      ask("GET", "/readyz/ping"),
      ask("GET", "/healthz/ping"),
      ask("GET", "/healthz/nope"),
      ask("HEAD", "/healthz"),
    ],
  },
];

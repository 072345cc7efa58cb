import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const maps = callsTo("/api/v1/namespaces/core-kinds/configmaps");
const secrets = callsTo("/api/v1/namespaces/core-kinds/secrets");
const accounts = callsTo("/api/v1/namespaces/core-kinds/serviceaccounts");

const text = (value: string): string => Buffer.from(value).toString("base64");

/** ConfigMaps, Secrets and service accounts. */
export const configurationScenarios: readonly Scenario[] = [
  {
    name: "C2 C3 C15 config map life cycle",
    steps: [
      maps.create({ metadata: { name: "settings" } }),
      maps.create({ metadata: { name: "settings", labels: { a: "b" } }, data: { color: "green" } }),
      maps.create({ metadata: { name: "full", labels: { a: "b" } }, data: { color: "green" }, binaryData: { bytes: "AAEC" } }),
      maps.table("full"),
      maps.patch("full", { data: { size: "1" } }),
      maps.patch("full", { data: { size: "1" } }),
      maps.replace("full", { metadata: { name: "full" }, data: { only: "this" } }),
      maps.replace("full", { metadata: { name: "full", resourceVersion: "1" }, data: {} }),
      maps.replace("full", { metadata: { name: "full", uid: "other" }, data: {} }),
      maps.replace("full", { metadata: { name: "another" }, data: {} }),
      maps.patch("full", [{ op: "test", path: "/data/only", value: "that" }], "json"),
      maps.patch("full", [{ op: "replace", path: "/data/only", value: "that" }], "json"),
      maps.patch("applied", { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "applied" }, data: { a: "b" } }, "apply"),
      maps.patch("full", { immutable: true }),
      maps.patch("full", { data: { only: "other" }, binaryData: { x: "AA==" }, immutable: false }),
      maps.patch("full", { metadata: { labels: { still: "changes" } } }),
      maps.list("?labelSelector=a=b&fieldSelector=metadata.name=full"),
      maps.list("?fieldSelector=data.a=b"),
      maps.remove("full"),
      maps.get("full"),
    ],
  },
  {
    name: "C14 config map rules",
    steps: [
      maps.create({ metadata: { name: "Bad" }, data: { "a b": "x" } }),
      maps.create({ metadata: { name: "up" }, data: { "..": "x" }, binaryData: { "..z": "" } }),
      maps.create({ metadata: { name: "twice" }, data: { a: "x" }, binaryData: { a: "AA==", "c/d": "AA==" } }),
      maps.create({ metadata: { name: "types" }, data: { a: 1 } }),
      maps.create({ metadata: { name: "types" }, binaryData: { a: "not base64" } }),
      maps.create({ metadata: { name: "meta", annotations: { "a b": "c" }, ownerReferences: [{ kind: "A" }] } }),
      maps.create({ metadata: { name: "elsewhere", namespace: "other" } }),
      maps.create({ metadata: { name: "x".repeat(254) } }),
      maps.create({ metadata: { generateName: "made." } }),
      maps.create({ metadata: { name: "lost" } }, "?fieldValidation=Strict&dryRun=All&pretty=false"),
      maps.create({ metadata: { name: "unknown" }, dat: {} }, "?fieldValidation=Strict"),
      maps.create({ metadata: { name: "unknown" }, dat: {} }, "?fieldValidation=Ignore"),
      maps.create({ metadata: { name: "missing", resourceVersion: "7" } }),
      maps.replace("absent", { metadata: { name: "absent" } }),
      maps.patch("absent", { data: {} }),
      maps.remove("absent"),
    ],
  },
  {
    name: "C13 C15 secret life cycle",
    steps: [
      secrets.create({ metadata: { name: "plain" }, stringData: { user: "me", pass: "word" }, data: { user: text("you") } }),
      secrets.table("plain"),
      secrets.patch("plain", { stringData: { extra: "more" } }),
      secrets.patch("plain", { data: { user: null } }),
      secrets.replace("plain", { metadata: { name: "plain" }, type: "example.com/other" }),
      secrets.patch("plain", { immutable: true }),
      secrets.patch("plain", { stringData: { extra: "changed" } }),
      secrets.patch("plain", { immutable: null }),
      secrets.patch("applied", { kind: "Secret", apiVersion: "v1", metadata: { name: "applied" }, stringData: { a: "b" } }, "apply"),
      secrets.list("?fieldSelector=type=Opaque"),
      secrets.list("?fieldSelector=type!=Opaque"),
      secrets.list("?fieldSelector=data=x"),
      secrets.remove("plain", { propagationPolicy: "Foreground" }),
      secrets.patch("plain", { metadata: { finalizers: [] } }),
      secrets.get("plain"),
    ],
  },
  {
    name: "C14 secret types",
    steps: [
      secrets.create({ metadata: { name: "a" }, data: { "a/b": "" } }),
      secrets.create({ metadata: { name: "a" }, type: "kubernetes.io/service-account-token" }),
      secrets.create({ metadata: { name: "a" }, type: "kubernetes.io/dockercfg" }),
      secrets.create({ metadata: { name: "a" }, type: "kubernetes.io/dockercfg", stringData: { ".dockercfg": "{" } }),
      secrets.create({ metadata: { name: "a" }, type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "[]" } }),
      secrets.create({ metadata: { name: "docker" }, type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "{}" } }),
      secrets.create({ metadata: { name: "a" }, type: "kubernetes.io/basic-auth" }),
      secrets.create({ metadata: { name: "a" }, type: "kubernetes.io/ssh-auth", stringData: { "ssh-privatekey": "" } }),
      secrets.create({ metadata: { name: "a" }, type: "kubernetes.io/tls", stringData: { "tls.crt": "x" } }),
      secrets.create({ metadata: { name: "tls" }, type: "kubernetes.io/tls", stringData: { "tls.crt": "x", "tls.key": "y" } }),
      secrets.create({ metadata: { name: "a" }, data: { a: "not base64" } }),
    ],
  },
  {
    name: "C3 X2 service account life cycle",
    steps: [
      accounts.create({
        metadata: { name: "robot", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
        secrets: [{ name: "s", namespace: "other", kind: "Secret" }],
        imagePullSecrets: [{ name: "p" }],
        automountServiceAccountToken: false,
      }),
      accounts.table("robot"),
      accounts.patch("robot", { secrets: [{ name: "t", uid: "u" }] }),
      accounts.patch("robot", { metadata: { labels: { "a b": "c" } } }),
      accounts.create({ metadata: { name: "Not Ok" } }),
      accounts.remove("robot"),
      accounts.get("robot"),
    ],
  },
];

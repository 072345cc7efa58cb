import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../exchange.ts";
import { callsTo } from "../calls.ts";

const base = "/api/v1/namespaces/core-kinds";
const pods = callsTo(`${base}/pods`);
const services = callsTo(`${base}/services`);

/** An apply by somebody, of an object that names itself. */
function applied(plural: string, kind: string, body: JsonObject, manager: string, query = ""): Step {
  const { metadata, ...rest } = body;
  const { name } = metadata as { readonly name: string };
  return {
    method: "PATCH",
    path: `${base}/${plural}/${name}${query.startsWith("/") ? query : ""}?fieldManager=${manager}${query.startsWith("&") ? query : ""}`,
    headers: { "content-type": "application/apply-patch+yaml" },
    body: { apiVersion: "v1", kind, metadata: metadata ?? {}, ...rest },
  };
}

const metadata = { name: "shared" };

/** Objects of the core group that several write together. */
export const applyScenarios: readonly Scenario[] = [
  {
    name: "A1 A3 a pod by several",
    steps: [
      applied(
        "pods",
        "Pod",
        { metadata, spec: { containers: [{ name: "main", image: "nginx", env: [{ name: "A", value: "1" }] }] } },
        "ann",
      ),
      applied("pods", "Pod", { metadata, spec: { containers: [{ name: "main", image: "nginx:2" }] } }, "bob"),
      applied("pods", "Pod", { metadata, spec: { containers: [{ name: "main", image: "nginx:2" }] } }, "bob", "&force=true"),
      applied("pods", "Pod", { metadata: { ...metadata, labels: { a: "b" } }, spec: { containers: [{ name: "main" }] } }, "ann"),
      applied("pods", "Pod", { metadata, status: { phase: "Running" } }, "kubelet", "/status"),
      applied("pods", "Pod", { metadata, status: { conditions: [{ type: "Ready", status: "True" }] } }, "other", "/status"),
      pods.get("shared"),
    ],
  },
  {
    name: "A3 the ports of a service",
    steps: [
      applied("services", "Service", { metadata, spec: { type: "NodePort", ports: [{ name: "a", port: 80 }] } }, "ann"),
      applied("services", "Service", { metadata, spec: { ports: [{ name: "b", port: 80, protocol: "UDP" }] } }, "bob"),
      applied(
        "services",
        "Service",
        { metadata, spec: { ports: [{ name: "c", port: 81, protocol: "TCP" }], selector: { app: "x" } } },
        "bob",
      ),
      applied("services", "Service", { metadata, spec: { type: "ClusterIP", ports: [{ name: "a", port: 80 }] } }, "ann"),
      services.get("shared"),
    ],
  },
  {
    name: "A5 small objects",
    steps: [
      applied("configmaps", "ConfigMap", { metadata, data: { a: "1", b: "2" } }, "ann"),
      applied("configmaps", "ConfigMap", { metadata, data: { b: "3" } }, "bob"),
      applied("configmaps", "ConfigMap", { metadata, data: { a: "1" } }, "ann"),
      applied("configmaps", "ConfigMap", { metadata, data: { b: "3" } }, "bob"),
      applied("secrets", "Secret", { metadata, stringData: { a: "1" } }, "ann"),
      applied("secrets", "Secret", { metadata, stringData: { a: "2" } }, "ann"),
      applied("secrets", "Secret", { metadata, data: { a: "Mg==" } }, "bob"),
      applied("limitranges", "LimitRange", { metadata, spec: { limits: [{ type: "Container", max: { cpu: "1" } }] } }, "ann"),
      applied("resourcequotas", "ResourceQuota", { metadata, spec: { hard: { pods: "1" } } }, "ann"),
      applied("resourcequotas", "ResourceQuota", { metadata, spec: { hard: { pods: "1.0" } } }, "bob"),
    ],
  },
];

import type { JsonObject } from "@kaji/core";
import type { Scenario } from "../../exchange.ts";
import { callsTo } from "../calls.ts";
import type { Calls } from "../calls.ts";

const badMetadata: JsonObject = {
  labels: { "a b": "c d" },
  annotations: { "/x": "y" },
  finalizers: ["bare", "a b/c"],
  ownerReferences: [{ apiVersion: "v1", kind: "", name: "x", uid: "" }],
};
const good: JsonObject = { labels: { a: "b" }, finalizers: ["example.com/hold"] };

/** Creates an object with metadata that is wrong, one that is right, and makes that wrong. */
function metadataScenario(kind: string, calls: Calls, name: string, rest: JsonObject): Scenario {
  return {
    name: `C3 C14 metadata of a ${kind}`,
    steps: [
      calls.create({ metadata: { name, ...badMetadata }, ...rest }),
      calls.create({ metadata: { name, ...good }, ...rest }),
      calls.patch(name, { metadata: badMetadata }),
      calls.patch(name, { metadata: { uid: "other", creationTimestamp: null, generation: 7 } }),
      calls.remove(name),
      calls.patch(name, { metadata: { finalizers: ["example.com/hold", "example.com/more"] } }),
    ],
  };
}

const containers = [{ name: "web", image: "nginx" }];
const labels = { app: "web" };
const web: JsonObject = { spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } } };
const inNamespace = (group: string, plural: string): Calls => callsTo(`/apis/${group}/namespaces/group-kinds/${plural}`);

/** What every kind checks of metadata, and how often it says so. */
export const metadataScenarios: readonly Scenario[] = [
  metadataScenario("deployment", inNamespace("apps/v1", "deployments"), "web", web),
  metadataScenario("job", inNamespace("batch/v1", "jobs"), "once", {
    spec: { template: { spec: { containers, restartPolicy: "Never" } } },
  }),
  metadataScenario("budget", inNamespace("policy/v1", "poddisruptionbudgets"), "web", { spec: { minAvailable: 1 } }),
  metadataScenario("role", inNamespace("rbac.authorization.k8s.io/v1", "roles"), "reader", { rules: [] }),
  metadataScenario("lease", inNamespace("coordination.k8s.io/v1", "leases"), "leader", {}),
  metadataScenario("ingress", inNamespace("networking.k8s.io/v1", "ingresses"), "site", {
    spec: { defaultBackend: { service: { name: "web", port: { number: 80 } } } },
  }),
  metadataScenario("endpoint slice", inNamespace("discovery.k8s.io/v1", "endpointslices"), "web-1", {
    addressType: "IPv4",
    endpoints: [],
    ports: [],
  }),
  metadataScenario(
    "webhook configuration",
    callsTo("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"),
    "group-hook",
    {},
  ),
];

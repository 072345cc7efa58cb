import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../../exchange.ts";
import { callsTo } from "../../calls.ts";
import { container, podSpec } from "./tried-pods.ts";

const namespace = "guarded";
const namespaces = callsTo("/api/v1/namespaces");
const pods = callsTo(`/api/v1/namespaces/${namespace}/pods`);
const core = (plural: string): string => `/api/v1/namespaces/${namespace}/${plural}`;
const inGroup = (group: string, plural: string): string => `/apis/${group}/v1/namespaces/${namespace}/${plural}`;

const labelsOf = (modes: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(modes).map(([mode, value]) => [`pod-security.kubernetes.io/${mode}`, value]));
const made = (modes: Readonly<Record<string, string>>, name = namespace): Step =>
  namespaces.create({ metadata: { name, labels: labelsOf(modes) } });
const relabelled = (modes: Readonly<Record<string, string>>): Step =>
  namespaces.patch(namespace, { metadata: { labels: labelsOf(modes) } });

const plain: JsonObject = { containers: [{ name: "c", image: "a" }] };
const shared: JsonObject = { ...plain, hostPID: true };
const labels = { app: "a" };
const template = (spec: JsonObject): JsonObject => ({ metadata: { labels }, spec });
const workload = (name: string, spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { selector: { matchLabels: labels }, template: template(spec), ...more },
});
const job = (spec: JsonObject): JsonObject => ({ template: { spec: { ...spec, restartPolicy: "Never" } } });

/** Everything that makes pods, from a pod's spec. */
const makers = (spec: JsonObject): readonly Step[] => [
  callsTo(core("podtemplates")).create({ metadata: { name: "a" }, template: template(spec) }, "?dryRun=All"),
  callsTo(core("replicationcontrollers")).create({ metadata: { name: "a" }, spec: { template: template(spec) } }, "?dryRun=All"),
  callsTo(inGroup("apps", "daemonsets")).create(workload("a", spec), "?dryRun=All"),
  callsTo(inGroup("apps", "deployments")).create(workload("a", spec), "?dryRun=All"),
  callsTo(inGroup("apps", "replicasets")).create(workload("a", spec), "?dryRun=All"),
  callsTo(inGroup("apps", "statefulsets")).create(workload("a", spec, { serviceName: "a" }), "?dryRun=All"),
  callsTo(inGroup("batch", "jobs")).create({ metadata: { name: "a" }, spec: job(spec) }, "?dryRun=All"),
  callsTo(inGroup("batch", "cronjobs")).create(
    { metadata: { name: "a" }, spec: { schedule: "* * * * *", jobTemplate: { spec: job(spec) } } },
    "?dryRun=All",
  ),
];

const deployments = callsTo(inGroup("apps", "deployments"));
const ephemeral = (spec: JsonObject): Step => ({
  ...pods.patch("old", { spec: { ephemeralContainers: [spec] } }, "strategic"),
  path: `${core("pods")}/old/ephemeralcontainers?dryRun=All`,
});
/** Asks again, without consequences, until a real server has noticed the labels. */
const noticed = (standard: string): Step => ({
  ...pods.create({ metadata: { name: "probe" }, spec: shared }, "?dryRun=All"),
  until: standard,
});
const controlled = (name: string, uid: string, spec: JsonObject): Step =>
  pods.create({
    metadata: { name, ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "a", uid, controller: true }] },
    spec,
  });

const oldAnnotations: Readonly<Record<string, string>> = {
  "container.apparmor.security.beta.kubernetes.io/c": "runtime/default",
  "container.seccomp.security.alpha.kubernetes.io/c": "runtime/default",
  "seccomp.security.alpha.kubernetes.io/pod": "runtime/default",
  "scheduler.alpha.kubernetes.io/critical-pod": "",
  "security.alpha.kubernetes.io/sysctls": "a=b",
};

/** Waits after each change until a real server has it in its cache: else it may first compare the next one with what was before. */
function oneByOne(first: readonly Step[], changes: readonly Step[]): readonly Step[] {
  const cached = (step: number): Step => ({
    method: "GET",
    path: `/api/v1/namespaces/${namespace}?resourceVersion={{${step}.metadata.resourceVersion}}`,
  });
  return [...first, ...changes.flatMap((change, index) => [change, cached(first.length + 2 * index)])];
}

/** What labels of namespaces mean, and what they do to whom. */
export const policyScenarios: readonly Scenario[] = [
  {
    name: "PS3 labels that are not understood",
    steps: [
      made({ enforce: "strict" }),
      made({ enforce: "", "enforce-version": "", audit: "Baseline", "audit-version": "v1", warn: "none", "warn-version": "v1.01" }),
      ...["1.30", "v2.0", "v1.", "v1.-1", "v1.1.1", "v1.9223372036854775808", "Latest"].map((version) => made({ "warn-version": version })),
      made({ enforce: "baseline", "enforce-version": "v1.9223372036854775807", "audit-version": "v1.0" }),
      relabelled({ enforce: "lax" }),
      relabelled({ warn: "lax", "enforce-version": "newest" }),
      namespaces.get(namespace),
    ],
  },
  {
    name: "PS4 templates are warned of what pods are refused for",
    steps: [
      made({ enforce: "restricted" }),
      ...makers(plain),
      ...makers(podSpec()),
      deployments.create(workload("web", plain)),
      deployments.patch("web", { metadata: { labels: { a: "b" } } }),
      deployments.patch("web", { spec: { template: { spec: podSpec() } } }, "strategic"),
      { method: "PATCH", path: `${inGroup("apps", "deployments")}/web/scale`, body: { spec: { replicas: 3 } } },
      { method: "PATCH", path: `${inGroup("apps", "deployments")}/web/status`, body: { status: { replicas: 3 } } },
    ],
  },
  ...[
    { warn: "restricted" },
    { audit: "restricted" },
    { enforce: "baseline", warn: "restricted", "warn-version": "v1.20" },
    { enforce: "restricted", warn: "privileged" },
    { enforce: "restricted", "enforce-version": "v1.19", "warn-version": "v1.7" },
    { enforce: "baseline", "enforce-version": "v1.25" },
    { enforce: "privileged", "enforce-version": "v1.25", warn: "baseline" },
    { "enforce-version": "v1.25", "warn-version": "v1.25", "audit-version": "v1.25" },
  ].map((modes) => ({
    name: `PS5 ${JSON.stringify(modes)}`,
    steps: [
      made(modes),
      ...[plain, shared, podSpec()].flatMap((spec) => [
        pods.create({ metadata: { name: "a" }, spec }, "?dryRun=All"),
        deployments.create(workload("a", spec), "?dryRun=All"),
      ]),
    ],
  })),
  {
    name: "PS6 pods of before stay and are not added to",
    steps: [
      made({}),
      pods.create({ metadata: { name: "old" }, spec: shared }),
      pods.create({ metadata: { name: "good" }, spec: podSpec() }),
      relabelled({ enforce: "baseline" }),
      noticed("baseline:latest"),
      pods.patch("old", { metadata: { labels: { a: "b" } } }),
      pods.patch("old", { spec: { activeDeadlineSeconds: 5 } }),
      pods.patch("old", { spec: { containers: [{ name: "c", image: "b" }] } }, "strategic"),
      pods.patch("good", { spec: { containers: [{ name: "c", image: "b" }] } }, "strategic"),
      { method: "PATCH", path: `${core("pods")}/old/status`, body: { status: { message: "a" } } },
      { method: "POST", path: `${core("pods")}/old/binding`, body: { target: { name: "node" } } },
      {
        ...pods.patch("old", { spec: { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] } }, "strategic"),
        path: `${core("pods")}/old/resize`,
      },
      ephemeral({ name: "d", image: "a" }),
      { ...ephemeral({ name: "d", image: "a" }), path: `${core("pods")}/good/ephemeralcontainers?dryRun=All` },
      {
        ...ephemeral({ name: "d", image: "a", securityContext: { privileged: true } }),
        path: `${core("pods")}/good/ephemeralcontainers`,
      },
      { ...ephemeral(container("d", { seccompProfile: { type: "Unconfined" } })), path: `${core("pods")}/good/ephemeralcontainers` },
      { ...ephemeral(container("d")), path: `${core("pods")}/good/ephemeralcontainers` },
      pods.patch("good", { metadata: { labels: { a: "b" } } }),
    ],
  },
  {
    name: "PS7 what is enforced from now on is compared with the pods that are there",
    steps: oneByOne(
      [
        made({}),
        pods.create({ metadata: { name: "b-plain" }, spec: plain }),
        pods.create({ metadata: { name: "a-plain" }, spec: plain }),
        pods.create({ metadata: { name: "sound" }, spec: podSpec() }),
        pods.create({ metadata: { name: "user" }, spec: podSpec({ runAsUser: 0 }) }),
        controlled("c-2", "u", shared),
        controlled("c-1", "u", shared),
        controlled("c-3", "v", shared),
        { ...relabelled({ enforce: "restricted" }), path: `/api/v1/namespaces/${namespace}?dryRun=All`, until: "c-1 (and 2" },
      ],
      [
        relabelled({ warn: "restricted" }),
        relabelled({ enforce: "restricted" }),
        relabelled({ enforce: "baseline" }),
        relabelled({ "enforce-version": "v1.20" }),
        namespaces.patch(namespace, { metadata: { labels: { other: "x" } } }),
        relabelled({ enforce: "restricted" }),
        { method: "PATCH", path: `/api/v1/namespaces/${namespace}/status`, body: { metadata: { labels: labelsOf({ enforce: "what" }) } } },
        relabelled({ enforce: "privileged" }),
      ],
    ),
  },
  {
    name: "PS8 annotations from before there were fields",
    steps: [
      made({}),
      ...Object.entries(oldAnnotations).flatMap(([key, value]) => [
        pods.create({ metadata: { name: "a", annotations: { [key]: value } }, spec: plain }, "?dryRun=All"),
        callsTo(core("podtemplates")).create(
          { metadata: { name: "a" }, template: { metadata: { annotations: { [key]: value } }, spec: plain } },
          "?dryRun=All",
        ),
      ]),
    ],
  },
];

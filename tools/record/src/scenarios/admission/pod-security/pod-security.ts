import type { JsonObject } from "@kaji/core";
import type { Scenario, Step } from "../../../exchange.ts";
import { callsTo } from "../../calls.ts";
import { policyScenarios } from "./policy-scenarios.ts";
import { container, podSpec, triedAnnotations, triedCalls, triedContainers, triedSpecs } from "./tried-pods.ts";
import { versionScenarios } from "./version-scenarios.ts";

const namespaces = callsTo("/api/v1/namespaces");

interface Trial {
  readonly annotations?: JsonObject;
  readonly spec: JsonObject;
}

/** What is tried with every standard in every version. */
const trials: readonly Trial[] = [
  ...triedSpecs.map((spec) => ({ spec })),
  ...triedContainers.map((of) => ({ spec: podSpec({}, { containers: [container("c", ...of)] }) })),
  ...triedCalls.map((call) => ({ spec: podSpec({}, { containers: [container("c", {}, call)] }) })),
  ...triedAnnotations.map((annotations) => ({
    annotations,
    spec: { ...podSpec(), securityContext: { runAsNonRoot: true }, containers: [container("c"), container("d")] },
  })),
];

/** What is tried once besides: the same in a container that runs first, and in several. */
const placements: readonly Trial[] = [
  ...triedContainers.flatMap((of) => [
    { spec: podSpec({}, { initContainers: [container("i", ...of)] }) },
    { spec: podSpec({}, { initContainers: [container("z", ...of)], containers: [container("b"), container("a", ...of)] }) },
  ]),
  ...triedCalls.map((call) => ({
    spec: podSpec(
      {},
      { initContainers: [container("z", {}, { ...call, restartPolicy: "Always" })], containers: [container("a", {}, call)] },
    ),
  })),
];

/** Which pods each standard lets in. */
function standardScenario(level: string, version: string, pods: readonly Trial[]): Scenario {
  const namespace = `${level}-${version.replace(".", "-")}`;
  const labels = { "pod-security.kubernetes.io/enforce": level, "pod-security.kubernetes.io/enforce-version": version };
  const calls = callsTo(`/api/v1/namespaces/${namespace}/pods`);
  // The name is taken: what is let in has a short answer all the same.
  const tried = ({ spec, ...annotations }: Trial): Step => calls.create({ metadata: { name: "taken", ...annotations }, spec });
  return {
    name: `PS1 pods in a namespace that enforces ${level}:${version}`,
    steps: [
      namespaces.create({ metadata: { name: namespace, labels } }),
      calls.create({ metadata: { name: "taken" }, spec: podSpec() }),
      ...pods.map(tried),
    ],
  };
}

/** What containers may say that are added to a pod that runs. */
const ephemeralScenario: Scenario = {
  name: "PS1 ephemeral containers in a namespace that enforces restricted:latest",
  steps: [
    namespaces.create({ metadata: { name: "ephemeral", labels: { "pod-security.kubernetes.io/enforce": "restricted" } } }),
    callsTo("/api/v1/namespaces/ephemeral/pods").create({ metadata: { name: "a" }, spec: podSpec() }),
    ...triedContainers.map((of): Step => ({
      ...callsTo("/api/v1/namespaces/ephemeral/pods").patch("a", { spec: { ephemeralContainers: [container("e", ...of)] } }, "strategic"),
      path: "/api/v1/namespaces/ephemeral/pods/a/ephemeralcontainers?dryRun=All",
    })),
  ],
};

/** What namespaces do to pods by the standard they ask for. */
export const podSecurityScenarios: readonly Scenario[] = [
  ...["baseline", "restricted"].flatMap((level) => [
    ...["v1.0", "v1.18", "v1.24", "v1.25", "v1.30"].map((version) => standardScenario(level, version, trials)),
    standardScenario(level, "latest", [...trials, ...placements]),
  ]),
  ephemeralScenario,
  ...policyScenarios,
  ...versionScenarios,
];

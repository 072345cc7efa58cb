import type { PodSpec } from "@kaji/types/core/v1";
import type { SchedulingBench } from "./scheduling-bench.ts";

const cordoned = "1 node(s) were unschedulable";
const useless = "Preemption is not helpful for scheduling";
const noVictims = "No preemption victims found for incoming pod";

/** Cases in which chance has no part, with what is decided and said. The node that the cluster came with is cordoned. */
export const schedulingScenarios: Readonly<Record<string, (bench: SchedulingBench) => Promise<void>>> = {
  "lack of cpu, a taint and a cordon are counted": async (bench) => {
    await bench.node("small", { allocatable: { cpu: "1" } });
    await bench.node("tainted", { spec: { taints: [{ key: "a", value: "b", effect: "NoSchedule" }] } });
    await bench.pod("web", asking({ cpu: "2" }));
    await bench.says(
      "web",
      `0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), ${cordoned}. no new claims to deallocate, preemption: 0/3 nodes are available: 3 ${useless}.`,
    );
    await bench.node("large");
    await bench.isOn("web", "large");
  },

  "a full node has too many pods, and nobody less important": async (bench) => {
    await bench.node("full", { allocatable: { pods: "1" } });
    await bench.pod("first");
    await bench.isOn("first", "full");
    await bench.pod("second");
    await bench.says(
      "second",
      `0/2 nodes are available: 1 Too many pods, ${cordoned}. no new claims to deallocate, preemption: 0/2 nodes are available: 1 ${noVictims}, 1 ${useless}.`,
    );
    await bench.delete("first");
    await bench.isOn("second", "full");
  },

  "a host port is taken once": async (bench) => {
    await bench.node("only");
    const spec = { containers: [{ name: "main", image: "nginx", ports: [{ containerPort: 80, hostPort: 8080 }] }] };
    await bench.pod("first", spec);
    await bench.isOn("first", "only");
    await bench.pod("second", spec);
    await bench.says(
      "second",
      `0/2 nodes are available: 1 node(s) didn't have free ports for the requested pod ports, ${cordoned}. no new claims to deallocate, preemption: 0/2 nodes are available: 1 ${noVictims}, 1 ${useless}.`,
    );
  },

  "a node selector chooses": async (bench) => {
    await bench.node("plain");
    await bench.pod("web", { nodeSelector: { disk: "ssd" } });
    await bench.says(
      "web",
      `0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, ${cordoned}. no new claims to deallocate, preemption: 0/2 nodes are available: 2 ${useless}.`,
    );
    await bench.node("fast", { labels: { disk: "ssd" } });
    await bench.isOn("web", "fast");
  },

  "a pod that names its node has nothing to do with others": async (bench) => {
    await bench.node("small", { allocatable: { cpu: "1" } });
    await bench.node("other");
    const matchFields = [{ key: "metadata.name", operator: "In" as const, values: ["small"] }];
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } } };
    await bench.pod("agent", { ...asking({ cpu: "2" }), affinity });
    await bench.says(
      "agent",
      `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, preemption: 0/3 nodes are available: 3 ${useless}.`,
    );
  },

  "anti-affinity keeps apart, on both sides": async (bench) => {
    await bench.node("only");
    const term = { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "web" } } };
    const away = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    await bench.pod("first", away, { app: "web" });
    await bench.isOn("first", "only");
    await bench.pod("second", away, { app: "web" });
    const after = `no new claims to deallocate, preemption: 0/2 nodes are available: 1 ${noVictims}, 1 ${useless}.`;
    await bench.says("second", `0/2 nodes are available: 1 node(s) didn't match pod anti-affinity rules, ${cordoned}. ${after}`);
    await bench.pod("third", {}, { app: "web" });
    await bench.says("third", `0/2 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules, ${cordoned}. ${after}`);
  },

  "affinity to nobody is not satisfied": async (bench) => {
    await bench.node("only");
    const term = { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "cache" } } };
    await bench.pod("web", { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } });
    await bench.says(
      "web",
      `0/2 nodes are available: 1 node(s) didn't match pod affinity rules, ${cordoned}. no new claims to deallocate, preemption: 0/2 nodes are available: 2 ${useless}.`,
    );
    await bench.pod("cache", {}, { app: "cache" });
    await bench.isOn("web", "only");
  },

  "pods are spread over the values of a label": async (bench) => {
    await bench.node("a", { labels: { room: "one" } });
    await bench.node("b", { labels: { room: "two" }, spec: { unschedulable: true } });
    const spread = {
      maxSkew: 1,
      topologyKey: "room",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: "web" } },
    } as const;
    await bench.pod("first", { topologySpreadConstraints: [spread] }, { app: "web" });
    await bench.isOn("first", "a");
    await bench.pod("second", { topologySpreadConstraints: [spread] }, { app: "web" });
    await bench.says(
      "second",
      `0/3 nodes are available: 1 node(s) didn't match pod topology spread constraints, 2 node(s) were unschedulable. no new claims to deallocate, preemption: 0/3 nodes are available: 1 ${noVictims}, 2 ${useless}.`,
    );
  },

  "a claim must be there and bound": async (bench) => {
    await bench.node("only");
    await bench.pod("db", { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] });
    await bench.says("db", `0/2 nodes are available: persistentvolumeclaim "data" not found. not found`);
    await bench.claim("data");
    await bench.says("db", `0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found`);
  },

  "a binding that is refused is told of": async (bench) => {
    await bench.pod("web");
    await bench.refuseBindings("web", "nothing is bound here");
    await bench.node("only");
    const policy = "a-binding-that-is-refused-is-told-of.example.com";
    const refusal = `ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: nothing is bound here`;
    await bench.says("web", `running Bind plugin "DefaultBinder": pods "web" is forbidden: ${refusal}`);
    await bench.until("web", ({ status }) => status?.conditions?.find(({ type }) => type === "PodScheduled")?.reason, "SchedulerError");
  },

  "a pod that must not preempt says so": async (bench) => {
    await bench.node("only", { allocatable: { cpu: "1" } });
    await bench.pod("low", asking({ cpu: "1" }));
    await bench.isOn("low", "only");
    await bench.pod("polite", { ...asking({ cpu: "1" }), priorityClassName: "polite" });
    await bench.says(
      "polite",
      `0/2 nodes are available: 1 Insufficient cpu, ${cordoned}. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.`,
    );
  },

  "a more important pod has room made for it": async (bench) => {
    await bench.node("only", { allocatable: { cpu: "1" } });
    await bench.pod("low", { ...asking({ cpu: "1" }), terminationGracePeriodSeconds: 600 });
    await bench.isOn("low", "only");
    await bench.pod("urgent", { ...asking({ cpu: "1" }), priorityClassName: "high" });
    await bench.until("urgent", ({ status }) => status?.nominatedNodeName, "only");
    await bench.until("low", ({ metadata }) => metadata.deletionTimestamp !== undefined, true);
    await bench.until(
      "low",
      ({ status }) => status?.conditions?.find(({ type }) => type === "DisruptionTarget")?.message,
      "default-scheduler: preempting to accommodate a higher priority pod",
    );
    await bench.delete("low");
    await bench.isOn("urgent", "only");
    await bench.until("urgent", ({ status }) => status?.nominatedNodeName, undefined);
  },
};

function asking(requests: Readonly<Record<string, string>>): Partial<PodSpec> {
  return { containers: [{ name: "main", image: "nginx", resources: { requests } }] };
}

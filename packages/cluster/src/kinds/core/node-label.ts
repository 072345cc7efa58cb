const deprecated: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ["failure-domain.beta.kubernetes.io/region", 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ["failure-domain.beta.kubernetes.io/zone", 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ["beta.kubernetes.io/instance-type", 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  ["scheduler.alpha.kubernetes.io/preferAvoidPods", "deprecated since v1.22; use Taints and Tolerations instead"],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Why a label of nodes should no longer be used; undefined when it may. */
export function deprecatedNodeLabel(key: string): string | undefined {
  return deprecated.get(key);
}

const present: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", "kubernetes.io/arch"],
  ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
  ["beta.kubernetes.io/os", "kubernetes.io/os"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
]);

/** What a label of nodes is called today; undefined when it was never called otherwise. */
export function presentNodeLabel(key: string): string | undefined {
  return present.get(key);
}

import type { Filter, Refusal } from "../filter.ts";
import type { NodeInfo } from "../node-info.ts";
import type { Amounts } from "../resource-amounts.ts";

/** A node takes only as many pods as it has room for, and only what the pods on it leave of each resource. */
export const nodeResources: Filter = {
  wokenBy: ["NodeAdded", "NodeChanged", "PodGone"],
  prepare: ({ requests }) => {
    const asked = new Map([...requests].filter(([, amount]) => amount > 0));
    return { type: "Check", refuse: (node) => (hasRoom(node, asked) ? undefined : lackOf(node, asked)) };
  },
};

function hasRoom(node: NodeInfo, asked: Amounts): boolean {
  if (node.pods.size >= (node.allocatable.get("pods") ?? 0)) return false;
  for (const [name, amount] of asked) if (amount > free(node, name)) return false;
  return true;
}

function lackOf(node: NodeInfo, asked: Amounts): Refusal {
  const lacking = [...asked].filter(([name, amount]) => amount > free(node, name));
  const isFull = node.pods.size >= (node.allocatable.get("pods") ?? 0);
  return {
    reasons: [...(isFull ? ["Too many pods"] : []), ...lacking.map(([name]) => `Insufficient ${name}`)],
    // Preemption cannot help if even the empty node has too little.
    isResolvable: lacking.every(([name, amount]) => amount <= (node.allocatable.get(name) ?? 0)),
  };
}

function free({ allocatable, requested }: NodeInfo, name: string): number {
  return (allocatable.get(name) ?? 0) - (requested.get(name) ?? 0);
}

import type { NodeOptions } from "../kubelet/node-object.ts";

/** What the nodes of a cluster are like: those that are listed, or so many. Default 1. */
export function clusterNodes(nodes: number | readonly NodeOptions[] = 1): readonly NodeOptions[] {
  return typeof nodes === "number" ? Array.from({ length: nodes }, (_node, index) => ({ name: `node-${index + 1}` })) : nodes;
}

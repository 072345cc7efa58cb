import type { Filter } from "../filter.ts";
import { namedNodes } from "./named-nodes.ts";
import { nodeAffinity } from "./node-affinity.ts";
import { nodePorts } from "./node-ports.ts";
import { nodeResources } from "./node-resources.ts";
import { nodeUnschedulable } from "./node-unschedulable.ts";
import { podAffinity } from "./pod-affinity.ts";
import { taintToleration } from "./taint-toleration.ts";
import { topologySpread } from "./topology-spread.ts";
import { volumeBinding } from "./volume-binding.ts";
import { volumeRestrictions } from "./volume-restrictions.ts";

/** The filters in the order in which they are asked: a node is refused for the reason of the first. */
export const allFilters: readonly Filter[] = [
  namedNodes,
  nodeUnschedulable,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResources,
  volumeRestrictions,
  volumeBinding,
  topologySpread,
  podAffinity,
];

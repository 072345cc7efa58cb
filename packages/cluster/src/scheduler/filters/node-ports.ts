import { indifferent, refusal } from "../filter.ts";
import type { Filter } from "../filter.ts";

const taken = refusal("node(s) didn't have free ports for the requested pod ports", { isResolvable: true });

/** A port of a node goes to one pod only. */
export const nodePorts: Filter = {
  wokenBy: ["NodeAdded", "PodGone"],
  prepare: ({ hostPorts }) => {
    if (hostPorts.length === 0) return indifferent;
    return { type: "Check", refuse: ({ ports }) => (hostPorts.some((port) => ports.has(port)) ? taken : undefined) };
  },
};

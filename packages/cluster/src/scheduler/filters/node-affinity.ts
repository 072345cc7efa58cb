import { indifferent, refusal } from "../filter.ts";
import type { Filter } from "../filter.ts";

const mismatch = refusal("node(s) didn't match Pod's node affinity/selector");

/** Pods choose their nodes by label. */
export const nodeAffinity: Filter = {
  wokenBy: ["NodeAdded", "NodeChanged"],
  prepare: ({ requiredNodes }) => {
    if (requiredNodes === undefined) return indifferent;
    return { type: "Check", refuse: ({ node }) => (requiredNodes(node) ? undefined : mismatch) };
  },
};

import { indifferent, refusal } from "../filter.ts";
import type { Filter } from "../filter.ts";
import { isTolerated } from "../toleration.ts";

const unschedulable = refusal("node(s) were unschedulable");
const taint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" } as const;

/** Cordoned nodes take no pods, but for those that tolerate the taint that says the same. */
export const nodeUnschedulable: Filter = {
  wokenBy: ["NodeAdded", "NodeChanged"],
  prepare: ({ tolerations }) => {
    if (isTolerated(taint, tolerations)) return indifferent;
    return { type: "Check", refuse: ({ node }) => (node.spec?.unschedulable === true ? unschedulable : undefined) };
  },
};

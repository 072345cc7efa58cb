import { refusal } from "../filter.ts";
import type { Filter } from "../filter.ts";
import { untoleratedTaint } from "../toleration.ts";

const untolerated = refusal("node(s) had untolerated taint(s)");

/** Tainted nodes take only pods that tolerate all of their taints. */
export const taintToleration: Filter = {
  wokenBy: ["NodeAdded", "NodeChanged"],
  prepare: ({ tolerations }) => ({
    type: "Check",
    refuse: ({ repellingTaints }) => (untoleratedTaint(repellingTaints, tolerations) === undefined ? undefined : untolerated),
  }),
};

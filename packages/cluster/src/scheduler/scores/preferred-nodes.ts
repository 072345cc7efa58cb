import { preferredNodes as preferencesOf } from "../node-selection.ts";
import { highestIsBest } from "../score.ts";
import type { Score } from "../score.ts";

/** Prefers nodes that the pod's node affinity prefers. */
export const preferredNodes: Score = ({ pod }, nodes) => {
  const preferences = preferencesOf(pod);
  if (preferences.length === 0) return undefined;
  return highestIsBest(nodes.map(({ node }) => preferences.reduce((sum, { weight, matches }) => sum + (matches(node) ? weight : 0), 0)));
};

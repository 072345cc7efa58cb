import assert from "node:assert/strict";
import { test } from "node:test";
import { proposedReplicas } from "./proposed-replicas.ts";

/** Each pod should use 100. */
const measure = {
  ratioOf: (values: ReadonlyMap<string, number>) => values.values().reduce((sum, each) => sum + each, 0) / values.size / 100,
  mostOf: () => 100,
};
const tolerances = { up: 0.1, down: 0.1 };

for (const { title, used, unready = 0, missing = 0, current, expected } of [
  { title: "twice as much as there should be", used: [200, 200], current: 2, expected: 4 },
  { title: "a third more, rounded up", used: [133, 133, 133], current: 3, expected: 4 },
  { title: "a tenth more", used: [110, 110], current: 2, expected: 2 },
  { title: "a tenth less", used: [90, 90], current: 2, expected: 2 },
  { title: "half as much", used: [50, 50, 50, 50], current: 4, expected: 2 },
  { title: "nothing", used: [0, 0], current: 2, expected: 0 },
  { title: "twice as much, but one pod more has not begun", used: [200, 200], unready: 1, current: 3, expected: 4 },
  { title: "more, but with one that has not begun just as much", used: [160, 160], unready: 1, current: 3, expected: 3 },
  { title: "more, but with those that have not begun less", used: [150], unready: 3, current: 4, expected: 4 },
  { title: "less, whatever has not begun", used: [50, 50], unready: 2, current: 4, expected: 1 },
  { title: "less, but of one nothing is known", used: [50, 50, 50], missing: 1, current: 4, expected: 3 },
  { title: "less, but of most nothing is known", used: [50], missing: 5, current: 6, expected: 6 },
  { title: "more, but of one nothing is known", used: [300, 300], missing: 1, current: 3, expected: 6 },
  { title: "more, but not as many count as there are", used: [150, 150], missing: 0, unready: 0, current: 5, expected: 3 },
  { title: "more for fewer than there are, and one is unknown", used: [200], missing: 0, unready: 0, current: 2, expected: 2 },
]) {
  test(`[HPA6] ${title}: ${current} become ${expected}`, () => {
    const values = new Map(used.map((each, index) => [`pod-${index}`, each]));
    const names = (what: string, count: number): ReadonlySet<string> =>
      new Set(Array.from({ length: count }, (_, index) => `${what}-${index}`));
    const pods = { values, readyCount: used.length, unready: names("unready", unready), missing: names("missing", missing) };
    assert.equal(proposedReplicas(pods, measure, current, tolerances), expected);
  });
}

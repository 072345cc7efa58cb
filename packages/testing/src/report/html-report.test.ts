import assert from "node:assert/strict";
import { test } from "node:test";
import { Exploration } from "../exploration/exploration.ts";
import type { Coverage } from "../exploration/coverage.ts";
import type { Finding } from "../exploration/finding.ts";

const coverage: Coverage = {
  runs: 7,
  seconds: 1,
  writes: 2,
  events: 3,
  faults: { Crash: { planned: 9, explored: 4 } },
  combinations: { planned: 0, explored: 0 },
  notExplored: ["the rest"],
  idleMasks: [],
  unstruck: [],
};
const plan = { seed: 1, ops: [0], faults: [] };
const sight = { object: "Bar default/b", seen: "3", current: "7" } as const;
const missed = { object: "Part default/p", seen: undefined, current: "5" } as const;
const finding: Finding = {
  violation: { oracle: "end state", subject: "Bar default/b", message: "a <b> is missing" },
  plan,
  entries: [
    { type: "Op", index: 0, text: "create Bar default/b", atMs: 4 },
    { type: "Reconcile", life: 1, number: 1, controller: "bar", sight, sights: [missed], atMs: 6 },
  ],
  foundIn: 1,
  firstPlan: plan,
  shrinkingRuns: 0,
  isCutShort: false,
  repeats: 0,
  isReproducible: true,
};

test("the page has the finding, what the operator saw against what there was, and what was not explored; text is text", () => {
  const { html } = new Exploration([finding], coverage, [], "");
  assert.match(html, /A &lt;b&gt; is missing/);
  assert.match(
    html,
    /<td class="seen"><div>Bar default\/b@3<span class="though">, though it is @7 by now<\/span><\/div><div>no Part default\/p/,
  );
  assert.match(html, /<td class="truth"><div>it is @7 by now<\/div><div>it is there @5<\/div><\/td>/);
  assert.match(html, /<h1>1 thing found in bar<\/h1>/);
  assert.match(html, /<th>Crash<\/th><td>4 of 9<\/td>/);
  assert.match(html, /<li>the rest<\/li>/);
  assert.match(html, /KAJI_REPLAY=/);
  assert.doesNotMatch(html, /<script|https?:/);
});

test("where all that was seen is true, there are no columns for what was not", () => {
  const entries = finding.entries.map((entry) =>
    entry.type === "Reconcile" ? { ...entry, sight: { ...sight, current: "3" }, sights: [] } : entry,
  );
  const { html } = new Exploration([{ ...finding, entries }], coverage, [], "");
  assert.match(html, /All that the operator saw was up to date/);
  assert.doesNotMatch(html, /class="seen"/);
});

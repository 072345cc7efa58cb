import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { promisify } from "node:util";
import type { Plan } from "../simulation/plan.ts";
import { traceHash } from "../simulation/trace.ts";
import { Experiment } from "./experiment.ts";
import { formatPlan } from "./plan-text.ts";
import { singleFaults } from "./single-faults.ts";
import { options } from "./testing/bundle-exploration.ts";

/** A hundred of one plan and ten of each other sort; `KAJI_DETERMINISM_RUNS=100 node --test determinism.test.ts` has as many of all. */
const { KAJI_DETERMINISM_RUNS: runs } = process.env;
const program = fileURLToPath(new URL("./testing/print-trace-hash.ts", import.meta.url));

test("a plan of each sort of fault is the same run each time, in this process and in others that run beside it", async () => {
  const experiment = await Experiment.create(options);
  const { plainPlan } = experiment;
  const bySort = Map.groupBy(singleFaults(await experiment.run(plainPlan)), ({ type }) => type);
  const plans = [...bySort.values()].map((faults): Plan => ({ ...plainPlan, faults: faults.slice(0, 1) }));
  const [first] = plans;
  assert.ok(first !== undefined && plans.length > 5);
  const others = [elsewhere(plans), elsewhere(plans)];
  for (const [index, plan] of plans.entries()) {
    const hashes = new Set<string>();
    const most = Number(runs ?? (plan === first ? 100 : 10));
    for (let run = 0; run < most; run++) hashes.add(traceHash((await experiment.run(plan)).entries));
    for (const other of await Promise.all(others)) hashes.add(other[index] ?? "nothing");
    assert.equal(hashes.size, 1, formatPlan(plan));
  }
});

/** The digests of plans that are played by a process of its own. */
async function elsewhere(plans: readonly Plan[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@kaji/source", program, ...plans.map(formatPlan)]);
  return stdout.trim().split("\n");
}

import { relative } from "node:path";
import { digestOf, formatPlan } from "../exploration/plan-text.ts";
import type { Operation } from "../simulation/operation.ts";
import type { Plan } from "../simulation/plan.ts";

/** What plays a plan again, and no other exploration: a command, where the test runner says which file it runs. */
export function replayCommand(
  plan: Plan,
  operations: readonly Operation[],
  { env, argv }: Pick<NodeJS.Process, "env" | "argv"> = process,
): string {
  const file = env["NODE_TEST_CONTEXT"] === undefined ? undefined : argv[1];
  const replay = `KAJI_REPLAY=${formatPlan({ ...plan, of: digestOf(operations) })}`;
  return file === undefined ? `run this test again with ${replay}` : `${replay} node --test ${relative("", file)}`;
}

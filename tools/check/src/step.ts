import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";

/** One part of the check: a program that exits with 0 when all is well. */
export interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...parameters: readonly string[]];
  /** The step that must have succeeded before. */
  readonly after?: string;
}

/** What became of a step. A skipped step waited for one that failed. */
export type Outcome =
  | { readonly type: "Passed"; readonly step: Step; readonly durationMs: number; readonly output: string }
  | { readonly type: "Failed"; readonly step: Step; readonly durationMs: number; readonly output: string }
  | { readonly type: "Skipped"; readonly step: Step };

/** Runs a step in the root folder of a workspace, with the programs that are installed there. */
export async function runStep(step: Step, root: string): Promise<Outcome> {
  const [program, ...parameters] = step.command;
  const started = nowMs();
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  const child = spawn(program, parameters, { cwd: root, env: { ...process.env, PATH: path }, stdio: ["ignore", "pipe", "pipe"] });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.once("error", (error) => resolve(`${program} did not start: ${error.message}`));
  child.once("close", (code, signal) => resolve(code === 0 ? undefined : signal === null ? "" : `${program} was ended by ${signal}`));
  const printed = await Promise.all([text(child.stdout), text(child.stderr)]);
  const failure = await promise;
  const durationMs = nowMs() - started;
  const output = stripVTControlCharacters([...printed, failure ?? ""].join(""));
  return { type: failure === undefined ? "Passed" : "Failed", step, durationMs, output };
}

/**
 * Runs steps, `width` at a time, in their order as far as `after` allows. Reports each outcome as it comes and returns all of them.
 * A step may only be after one that stands before it in the list.
 */
export async function runSteps(
  steps: readonly Step[],
  { root, width, report }: { readonly root: string; readonly width: number; readonly report: (outcome: Outcome) => void },
): Promise<Outcome[]> {
  const running = new Map<string, Promise<Outcome>>();
  const places = Array.from({ length: width }, () => Promise.resolve());
  for (const step of steps) {
    const place = await firstFree(places);
    const outcome = runAfter(step, running.get(step.after ?? ""), root).then(tell);
    running.set(step.name, outcome);
    places[place] = outcome.then(ignore);
  }
  return Promise.all(running.values());

  function tell(outcome: Outcome): Outcome {
    report(outcome);
    return outcome;
  }
}

async function runAfter(step: Step, before: Promise<Outcome> | undefined, root: string): Promise<Outcome> {
  const outcome = await before;
  return outcome === undefined || outcome.type === "Passed" ? runStep(step, root) : { type: "Skipped", step };
}

async function firstFree(places: readonly Promise<void>[]): Promise<number> {
  return Promise.race(places.map((place, index) => place.then(() => index)));
}

function ignore(): void {}

/** Milliseconds since some moment in the past. */
export function nowMs(): number {
  // oxlint-disable-next-line no-restricted-properties -- the check must work while core, with its clock, does not
  return performance.now();
}

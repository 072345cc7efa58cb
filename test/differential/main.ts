import { readFileSync } from "node:fs";
import { TransportError, httpTransport } from "@kaji/client";
import { stringifyJson } from "@kaji/core";
import type { Mismatch, Step } from "@kaji-tools/record";
import { mapStrings } from "@kaji-tools/record";
import { startKube } from "@kaji-tools/kube";
import { refuseUse, scriptOptions } from "@kaji-tools/script-options";
import { Dice } from "../random/dice.ts";
import { Comparison } from "./comparison.ts";
import { emptyFieldSteps } from "./empty-fields.ts";
import { metadataSteps } from "./metadata-steps.ts";
import { minimise } from "./minimise.ts";
import { schemaSteps } from "./schema-steps.ts";
import { randomSteps } from "./random-steps.ts";
import { versionedSteps } from "./versioned-steps.ts";

/** Requests follow each other in groups of so many, after which all begins anew. */
const groupSize = 30;

const usage = `usage: npm run differential -- [--versions | --metadata | --schemas] [--seed NUMBER] [--requests NUMBER] [--server URL --token TOKEN --ca FILE]
       npm run differential -- --empties [--server URL --token TOKEN --ca FILE]

Sends the same random requests, 1000 of seed 1 unless told, to the embedded and to a real API server, and shows the first answers that differ.
With --versions, they are of several managers that write the same objects of a custom kind in two versions.
With --metadata, they say all sorts of things of the metadata of one object, and delete it in all ways.
With --schemas, they define kinds with random schemas, and are of objects of those.
With --empties, sends lists and maps that are there and empty, in every kind that has been recorded, and shows all that differ.
The real server is started for it, unless one is given.`;

const { values } = scriptOptions({
  name: "differential",
  usage,
  options: {
    seed: { type: "string", default: "1" },
    requests: { type: "string", default: "1000" },
    versions: { type: "boolean", default: false },
    metadata: { type: "boolean", default: false },
    schemas: { type: "boolean", default: false },
    empties: { type: "boolean", default: false },
    server: { type: "string" },
    token: { type: "string" },
    ca: { type: "string" },
  },
});

/** Compares the embedded server with a real one, request by request, and stops at the first difference. */
async function main(): Promise<void> {
  const [seed, requests] = [wholeNumber("seed", values.seed), wholeNumber("requests", values.requests)];
  await using stack = new AsyncDisposableStack();
  const { server, token, ca } = values;
  const isGiven = server !== undefined && token !== undefined && ca !== undefined;
  const access = isGiven ? { server, token, ca: readFileSync(ca, "utf8") } : stack.use(await startKube());
  const certificateAuthority = { type: "Data", data: access.ca } as const;
  const connection = { server: access.server, certificateAuthority, user: { token: access.token }, disableCompression: true };
  const comparison = await Comparison.with(stack.use(httpTransport(connection, { environment: {} })));
  if (values.empties) return await compareEmpties(comparison);
  const dice = new Dice(seed);
  const someSteps = stepsFor(values);
  for (let count = 0; count < requests; count += groupSize) {
    const steps = someSteps(dice, placeholder, groupSize);
    const found = await unlessAbandoned(comparison.mismatches((namespace) => inNamespace(steps, namespace)));
    if (found === "Abandoned") process.stdout.write(`the real server gave up on one of requests ${count} to ${count + groupSize - 1}\n`);
    if (found === "Abandoned" || found[0] === undefined) continue;
    const [mismatch] = found;
    process.stdout.write(`request ${count + mismatch.step} of seed ${values.seed} differs; minimising\n`);
    await show(comparison, steps, mismatch);
    process.exitCode = 1;
    return;
  }
  process.stdout.write(`${requests} requests of seed ${values.seed}: no difference\n`);
}

function stepsFor({
  versions,
  metadata,
  schemas,
}: { readonly [kind in "metadata" | "schemas" | "versions"]: boolean }): typeof randomSteps {
  if (versions) return versionedSteps;
  if (metadata) return metadataSteps;
  return schemas ? schemaSteps : randomSteps;
}

/** There are requests that a handler of the real server panics on: it closes the connection, and there is nothing to compare. */
async function unlessAbandoned<T>(answers: Promise<T>): Promise<T | "Abandoned"> {
  try {
    return await answers;
  } catch (error) {
    if (error instanceof TransportError && error.reason === "Interrupted") return "Abandoned";
    throw error;
  }
}

function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0
    ? number
    : refuseUse("differential", `--${option} takes a whole number from 1 up, not '${text}'`);
}

/** Compares what becomes of lists and maps that are there and empty, in every kind that has been recorded, and prints all differences. */
async function compareEmpties(comparison: Comparison): Promise<void> {
  let count = 0;
  for (const [kind, steps] of emptyFieldSteps(String(process.pid))) {
    const mismatches = await comparison.mismatches(steps);
    const sent = steps(placeholder);
    count += sent.length;
    for (const { step, differences } of mismatches) {
      const request = sent[step];
      process.stdout.write(`${kind}: ${request === undefined ? "" : shown(request)}\n  ${differences.join("\n  ")}\n`);
      process.exitCode = 1;
    }
  }
  process.stdout.write(`${count} requests with empty lists and maps compared\n`);
}

/** Prints the fewest requests that show the difference, and what it is. */
async function show(comparison: Comparison, steps: readonly Step[], mismatch: Mismatch): Promise<void> {
  const [culprit] = steps.slice(mismatch.step);
  if (culprit === undefined) throw new RangeError("a mismatch is of one of the steps");
  const found = async (some: readonly Step[]): Promise<readonly Mismatch[]> =>
    comparison.mismatches((namespace) => inNamespace(some, namespace));
  const before = steps.slice(0, mismatch.step);
  // What has to be waited for, with all before it, nothing works without.
  const needed = before.splice(0, before.findLastIndex(({ until }) => until !== undefined) + 1);
  const differs = async (some: readonly Step[]): Promise<boolean> => {
    const last = needed.length + some.length;
    return (await found([...needed, ...some, culprit])).some(({ step }) => step === last);
  };
  const isLive = culprit.live === true;
  // What a watch sees comes after it, so that nothing can be left out but what follows.
  const fewest = isLive
    ? await minimise(steps.slice(mismatch.step + 1), async (some) => (await found([culprit, ...some])).some(({ step }) => step === 0))
    : await minimise(before, differs);
  const whole = isLive ? [culprit, ...fewest] : [...needed, ...((await differs([])) ? [] : fewest), culprit];
  for (const step of whole) process.stdout.write(`${shown(step)}\n`);
  const mismatches = await found(whole);
  if (mismatches.length === 0) process.stdout.write(`\nno difference any more; at first it was:\n  ${mismatch.differences.join("\n  ")}\n`);
  for (const { step, differences } of mismatches) {
    process.stdout.write(`\nthe answer to request ${step + 1}, of the real server (expected) and of ours:\n`);
    for (const line of differences) process.stdout.write(`  ${line}\n`);
  }
}

/** Stands for the namespace in steps that are sent more than once. */
const placeholder = "the-namespace";

function inNamespace(steps: readonly Step[], namespace: string): readonly Step[] {
  const named = (text: string): string => text.replaceAll(placeholder, namespace);
  return steps.map((step) => ({
    ...step,
    path: named(step.path),
    ...(step.body === undefined ? {} : { body: mapStrings(step.body, named) }),
  }));
}

function shown({ method, path, headers, body }: Step): string {
  const type = headers?.["content-type"] === undefined ? "" : ` (${headers["content-type"]})`;
  return `${method} ${path}${type}${body === undefined ? "" : ` ${stringifyJson(body)}`}`;
}

await main();

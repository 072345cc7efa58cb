import { run } from "../program.ts";
import type { Prompt } from "../prompt.ts";

/** What the program said, and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Is said of a cluster that takes more than a second, as any may on a slow machine. */
const isSlow = /^waiting for .* to answer\n$/;

/** Runs the program in this process; with a prompt as if a user sat at a terminal. That the cluster is slow to answer is left out. */
export async function ran(parameters: readonly string[], prompt?: Prompt): Promise<Ran> {
  let [out, err] = ["", ""];
  const code = await run(parameters, { out: (text) => (out += text), err: (text) => (err += isSlow.test(text) ? "" : text), prompt });
  return { code, out, err };
}

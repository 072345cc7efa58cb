import { runScript } from "@kaji-tools/record";
import type { Turn } from "@kaji-tools/record";

/** The scripts that are played, on a cluster of two nodes. */
export const scripts = ["tutorial", "trouble"] as const;

/** The nodes of that cluster. */
export const nodes = [{ name: "node-1" }, { name: "node-2" }] as const;

/** Where what a real cluster printed is kept. */
export function transcriptOf(script: string): URL {
  return new URL(`testdata/${script}.txt`, import.meta.url);
}

const masks: readonly (readonly [RegExp, string])[] = [
  [/(nginx-deployment-[0-9a-z]{8,10})-[0-9a-z]{5}\b/g, "$1-<pod>"],
  [/\b(failing|many-[0-9a-z]{8,10})-[0-9a-z]{5}\b/g, "$1-<pod>"],
  [/\bkube-api-access-[0-9a-z]{5}\b/g, "kube-api-access-<volume>"],
  [/\b10\.\d+\.\d+\.\d+\b/g, "<ip>"],
  [/\(x(\d+) over \w+\)/g, "(x<count> over <age>)"],
  // How far it has come when somebody looks is a matter of time.
  [/^Waiting for deployment .*\n/gm, ""],
];

/** Plays a script with a kubectl: every command, and what it printed but for what is a matter of chance. */
export async function play(script: string, kubectl: string, kubeconfig: string): Promise<readonly Turn[]> {
  const turns = await runScript({ script: new URL(`${script}.sh`, import.meta.url), kubectl, kubeconfig });
  return turns.map(({ command, output }) => ({ command, output: masked(output) }));
}

function masked(output: string): string {
  return masks.reduce((text, [pattern, mask]) => text.replaceAll(pattern, mask), output);
}

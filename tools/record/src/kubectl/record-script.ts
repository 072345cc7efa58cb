import { writeFileSync } from "node:fs";
import { formatTranscript, kubectlVersion, runScript } from "./transcript.ts";

const folder = new URL("../../../../test/kubectl/", import.meta.url);

/** Where the recorded transcript of a version of kubectl is kept. */
export function transcriptFile(version: string): URL {
  return new URL(`testdata/kubectl-${version}.txt`, folder);
}

/** The script that is recorded. */
export const kubectlScript: URL = new URL("script.sh", folder);

/** Runs the script against a real server, and keeps what it printed. Returns the version of kubectl and the number of commands. */
export async function recordScript(kubectl: string, kubeconfig: string): Promise<string> {
  const version = await kubectlVersion(kubectl);
  const turns = await runScript({ script: kubectlScript, kubectl, kubeconfig });
  writeFileSync(transcriptFile(version), formatTranscript(turns));
  return `${version}: ${turns.length} commands`;
}

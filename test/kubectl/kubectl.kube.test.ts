import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startControlPlane } from "@kaji/cluster";
import { kubectlScript, kubectlVersion, parseTranscript, programOnPath, runScript, transcriptFile } from "@kaji-tools/record";
import type { Turn } from "@kaji-tools/record";
import { providePrograms } from "@kaji-tools/kube";
import { knownDifferences } from "./known-differences.ts";

const built = join(await providePrograms(["kubectl"]), "kubectl");
const programs = [built, programOnPath("kubectl")].filter((path) => path !== undefined);
const versions = new Map<string, string>();
for (const program of programs) versions.set(await kubectlVersion(program), program);

for (const [version, kubectl] of versions) {
  const recording = transcriptFile(version);
  test(`kubectl ${version} prints what it prints with a real server`, { skip: !existsSync(recording) }, async () => {
    const expected = parseTranscript(readFileSync(recording, "utf8"));
    assert.ok(expected.length >= 60);
    const differing = differences(expected, await runAgainstOurs(kubectl));
    assert.deepEqual(
      differing.filter(({ command }) => !Object.hasOwn(knownDifferences, command)),
      [],
    );
    const known = Object.keys(knownDifferences).filter((command) => !differing.some((turn) => turn.command === command));
    assert.deepEqual(known, [], "known differences that are none any more");
  });
}

async function runAgainstOurs(kubectl: string): Promise<readonly Turn[]> {
  const folder = mkdtempSync(join(tmpdir(), "kaji-kubectl-"));
  try {
    // The server that was recorded had nobody to make service accounts.
    await using plane = await startControlPlane({
      folder,
      storage: "memory",
      serviceAccounts: false,
      controllers: [],
      scheduler: false,
      nodes: 0,
    });
    return await runScript({ script: kubectlScript, kubectl, kubeconfig: plane.kubeconfig });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Difference {
  readonly command: string;
  readonly expected: string | undefined;
  readonly actual: string | undefined;
}

function differences(expected: readonly Turn[], actual: readonly Turn[]): readonly Difference[] {
  return expected.flatMap(({ command, output }, index) => {
    const turn = actual[index];
    return turn?.command === command && turn.output === output ? [] : [{ command, expected: output, actual: turn?.output }];
  });
}

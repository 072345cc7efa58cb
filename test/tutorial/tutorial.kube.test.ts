import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { providePrograms } from "@kaji-tools/kube";
import { parseTranscript } from "@kaji-tools/record";
import { startControlPlane } from "@kaji/cluster";
import { nodes, play, scripts, transcriptOf } from "./run-tutorial.ts";

for (const script of scripts) {
  test(`[LOOP3] ${script}: every command prints what it prints with a real control plane`, async () => {
    const expected = parseTranscript(readFileSync(transcriptOf(script), "utf8"));
    const kubectl = join(await providePrograms(["kubectl"]), "kubectl");
    const folder = mkdtempSync(join(tmpdir(), "kaji-tutorial-"));
    try {
      await using plane = await startControlPlane({ folder, storage: "memory", nodes });
      const actual = await play(script, kubectl, plane.kubeconfig);
      assert.ok(actual.length >= 30);
      assert.deepEqual(actual, expected);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

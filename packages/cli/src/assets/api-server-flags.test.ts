import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { apiServerOptions, ignoredFlags } from "./api-server-flags.ts";
import { parseGoFlags } from "./go-flags.ts";

test("what admission is to do without is what the flag names", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "kaji-flags-"));
  const optionsFor = (...flags: string[]): ReturnType<typeof apiServerOptions> =>
    apiServerOptions(parseGoFlags([`--cert-dir=${folder.path}`, ...flags]));
  assert.partialDeepStrictEqual(await optionsFor(), { serviceAccounts: true, withoutAdmission: [] });
  const webhooks = ["MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"];
  const without = await optionsFor("--disable-admission-plugins=ServiceAccount", `--disable-admission-plugins=${webhooks.join(",")}`);
  assert.partialDeepStrictEqual(without, { serviceAccounts: false, withoutAdmission: ["ServiceAccount", ...webhooks] });
});

test("flags without effect are told apart from those that have one", () => {
  assert.deepEqual(ignoredFlags(parseGoFlags(["--feature-gates=A=true", "--disable-admission-plugins=A", "--v=2"])), [
    "feature-gates",
    "v",
  ]);
});

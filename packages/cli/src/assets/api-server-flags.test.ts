import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { createApiServer } from "@kaji/cluster";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { apiServerOptions, ignoredFlags, missingPlugins } from "./api-server-flags.ts";
import { parseGoFlags } from "./go-flags.ts";

test("what admission is to do without is what the flag names", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "kaji-flags-"));
  const optionsFor = (...flags: string[]): ReturnType<typeof apiServerOptions> =>
    apiServerOptions(parseGoFlags([`--cert-dir=${folder.path}`, ...flags]));
  assert.partialDeepStrictEqual(await optionsFor(), { serviceAccounts: true, withAdmission: [], withoutAdmission: [] });
  const webhooks = ["MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"];
  const without = await optionsFor("--disable-admission-plugins=ServiceAccount", `--disable-admission-plugins=${webhooks.join(",")}`);
  assert.partialDeepStrictEqual(without, { withoutAdmission: ["ServiceAccount", ...webhooks] });
});

test("flags without effect are told apart from those that have one", () => {
  assert.deepEqual(ignoredFlags(parseGoFlags(["--feature-gates=A=true", "--disable-admission-plugins=A", "--v=2"])), [
    "feature-gates",
    "v",
  ]);
});

test("plugins of admission that are asked for and not there are named", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "kaji-flags-"));
  const flags = parseGoFlags([
    `--cert-dir=${folder.path}`,
    "--enable-admission-plugins=OwnerReferencesPermissionEnforcement,ResourceQuota,Other",
  ]);
  assert.deepEqual(ignoredFlags(flags), []);
  const { withAdmission = [] } = await apiServerOptions(flags);
  const clock = new ManualClock();
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1), withAdmission });
  assert.deepEqual(missingPlugins(flags, server), ["Other"]);
});

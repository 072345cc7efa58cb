import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { user } from "../simulation/operation.ts";
import type { Operation } from "../simulation/operation.ts";
import { explore } from "./explore.ts";

const Vault = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Vault", spec: z.object({ size: z.int32().default(1) }) });

/** Makes up a code for each Vault: one that it keeps, or another whenever a process sees the Vault for the first time. */
function coding(seen: Set<string> | undefined): readonly Controller[] {
  return [
    defineController(Vault, {
      owns: [ConfigMap],
      async reconcile(_vault, { apply, cache, key, random }) {
        const known = cache.get(ConfigMap, "default/code")?.data?.["code"];
        const isNew = known === undefined || (seen !== undefined && !seen.has(key));
        seen?.add(key);
        await apply(ConfigMap, {
          metadata: { name: "code" },
          data: { code: isNew ? Buffer.from(random.bytes(8)).toString("hex") : known },
        });
      },
    }),
  ];
}

async function found(controllers: () => readonly Controller[], last: readonly Operation[] = []): Promise<string | undefined> {
  const { findings } = await explore({
    controllers,
    ops: (user) => [
      user.create(Vault, { metadata: { name: "v", namespace: "default" }, spec: {} }),
      user.mergePatch(Vault, "default/v", { spec: { size: 2 } }),
      ...last,
    ],
    faults: { only: ["Restart", "Crash"] },
    runs: 20,
  });
  return findings[0]?.violation.message;
}

test("what is made up differs from run to run, but not because of a fault", async () => {
  assert.equal(await found(() => coding(new Set())), "ConfigMap default/code: data.code is made up anew, though it was there before");
  assert.equal(await found(() => coding(undefined)), undefined);
});

test("what is made up may differ from run to run where it is gone in the end, too", async () => {
  assert.equal(await found(() => coding(undefined), [user.delete(Vault, "default/v")]), undefined);
});

/** Makes up a code, and seals it; the careless one makes up another when the seal is gone. */
function sealing(isCareless: boolean): Controller {
  return defineController(Vault, {
    owns: [Secret, ConfigMap],
    async reconcile(_vault, { apply, cache, random }) {
      const isSealed = cache.get(ConfigMap, "default/seal") !== undefined;
      const known = isCareless && !isSealed ? undefined : cache.get(Secret, "default/code")?.data?.["code"];
      const code = known ?? Buffer.from(random.bytes(8)).toString("base64");
      await apply(Secret, { metadata: { name: "code" }, data: { code } });
      await apply(ConfigMap, { metadata: { name: "seal" }, data: { seal: `of ${code}` } });
    },
  });
}

test("what follows from something made up is made anew with it when somebody deletes that, and not the other way round", async () => {
  const ops = [user.create(Vault, { metadata: { name: "v", namespace: "default" }, spec: {} })];
  const options = { ops: () => ops, faults: { only: ["DeleteChild"] }, runs: 20 } as const;
  await explore({ ...options, controllers: [sealing(false)] }).expectNoViolations();
  const { findings } = await explore({ ...options, controllers: [sealing(true)] });
  assert.deepEqual(
    findings.map(({ violation }) => violation.message),
    ["Secret default/code: data.code is made up anew, though it was there before"],
  );
});

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { Secret } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";

const Vault = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Vault", spec: z.object({ size: z.int32().default(1) }) });

interface Locksmith {
  newKey(): Promise<string>;
}

const nodes: Locksmith = {
  newKey: async () => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
};

/** Cuts the same key each time. */
class SimulatedLocksmith implements Locksmith {
  async newKey(): Promise<string> {
    return "a2V5";
  }
}

/** Keeps a key in a Secret. */
const vaults = (locksmith: Locksmith) =>
  defineController(Vault, {
    owns: [Secret],
    async reconcile(_vault, { apply, cache }) {
      const key = cache.get(Secret, "default/key")?.data?.["key"] ?? (await locksmith.newKey());
      await apply(Secret, { metadata: { name: "key" }, data: { key } });
    },
  });

test("keys that Node draws are told as nondeterminism, with what to do", async () => {
  const { findings, report } = await explore({ controllers: [vaults(nodes)], runs: 1 });
  assert.equal(findings[0]?.violation.oracle, "nondeterminism");
  assert.match(report, /let `external` stand in for what makes keys and signatures/);
});

test("where what makes keys is simulated, whoever keeps them is explored", async () => {
  const { findings, report } = await explore({
    external: () => new SimulatedLocksmith(),
    controllers: (locksmith) => [vaults(locksmith)],
    runs: 60,
  });
  assert.deepEqual(findings, [], report);
});

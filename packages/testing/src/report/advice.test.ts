import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { explore } from "../exploration/explore.ts";
import { adviceOn } from "./advice.ts";

const Zone = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Zone", spec: z.object({ host: z.string() }) });

/** A registrar that remembers who asked, for all to see: each host once, or each time. */
class Registrar {
  readonly hosts: string[] = [];
  readonly #isLog: boolean;

  constructor(isLog: boolean) {
    this.#isLog = isLog;
  }

  async register(host: string): Promise<void> {
    if (this.#isLog || !this.hosts.includes(host)) this.hosts.push(host);
  }
}

function registering(registrar: Registrar): readonly Controller[] {
  return [
    defineController(Zone, {
      async reconcile({ spec }) {
        await registrar.register(spec.host);
      },
    }),
  ];
}

async function fixFor(isLog: boolean): Promise<string> {
  const { report } = await explore({
    controllers: registering,
    external: () => new Registrar(isLog),
    ops: (user) => [
      user.create(Zone, { metadata: { name: "z", namespace: "default" }, spec: { host: "one" } }),
      user.delete(Zone, "default/z"),
    ],
    runs: 1,
  });
  return /✗ 1\. (PATH INDEPENDENCE|IDEMPOTENCY)[^]*?Likely fix: (.*)/.exec(report)?.slice(1).join(": ") ?? report;
}

test("what is left outside the cluster is to be undone in finalize or kept from sight: apply is no help there", async () => {
  assert.match(
    await fixFor(false),
    /^PATH INDEPENDENCE: undo in `finalize`.* if it is only a record of calls, keep it out of what the fake shows/,
  );
});

test("what is done again outside the cluster is to be looked at first: apply is no help there", async () => {
  assert.match(await fixFor(true), /^IDEMPOTENCY: look at what there is outside before it is changed; if it is only a record/);
});

test("what is made again and again of an object that waits for its children to go is not to be made", () => {
  const plan = { seed: 1, ops: [0], faults: [] };
  const violation = { oracle: "convergence", subject: "ConfigMap default/records", message: "" } as const;
  const advice = (text: string): string =>
    adviceOn({
      violation,
      plan,
      entries: [{ type: "Op", index: 0, text, atMs: 0 }],
      foundIn: 1,
      firstPlan: plan,
      shrinkingRuns: 0,
      repeats: 0,
      isReproducible: true,
    }).fix;
  assert.match(advice("delete Zone default/z (Foreground)"), /^make no children of an object that has a deletionTimestamp/);
  assert.doesNotMatch(advice("delete Zone default/z"), /deletionTimestamp/);
});

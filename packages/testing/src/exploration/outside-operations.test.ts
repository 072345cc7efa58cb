import assert from "node:assert/strict";
import { test } from "node:test";
import { durationMs, parseTime } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController, owned, poll, recheckAfter } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";

const Consumer = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Consumer",
  spec: z.object({ cooldown: k.duration().default("5m") }),
  status: z.object({ idleSince: k.time().optional(), length: z.int32().optional() }),
});

class Queue {
  length = 0;
  readonly #reads: number[] = [];

  async read(): Promise<number> {
    this.#reads.push(this.length);
    return this.length;
  }
}

/** Keeps a worker, here a ConfigMap, while there is something in a queue, and for a while after. */
const consumers = (queue: Queue) =>
  defineController(Consumer, {
    owns: [ConfigMap],
    async reconcile({ metadata: { name }, spec, status }, { apply, clock, setStatus }) {
      const isIdle = (await queue.read()) === 0;
      const idleSince = isIdle ? (status?.idleSince ?? new Date(clock.now()).toISOString()) : undefined;
      if (idleSince === undefined || clock.now() - parseTime(idleSince) < durationMs(spec.cooldown))
        await apply(ConfigMap, { metadata: { name } });
      await setStatus({ idleSince });
      return recheckAfter("1m");
    },
  });

/** Notes what it has seen, and then does what follows from it, once. */
const hasty = (queue: Queue) =>
  defineController(Consumer, {
    owns: [owned(ConfigMap, { applied: false })],
    async reconcile({ metadata: { name }, status }, { create, setStatus }) {
      const length = await queue.read();
      if (length === status?.length) return recheckAfter("1m");
      await setStatus({ length });
      if (length > 0) await create(ConfigMap, { metadata: { name } });
      return recheckAfter("1m");
    },
  });

const at = { name: "mail", namespace: "default" };

const exploration = (controllers: (queue: Queue) => Controller) =>
  explore({
    external: () => new Queue(),
    controllers: (queue) => [controllers(queue)],
    ops: (user) => [
      user.create(Consumer, { metadata: at, spec: { cooldown: "90s" } }),
      user.outside("the queue fills", (queue) => void (queue.length = 3)),
      user.outside("the queue is emptied", (queue) => void (queue.length = 0)),
      user.delete(Consumer, "default/mail"),
    ],
    runs: 30,
    findings: 1,
  });

test("[OUT10] what happens outside is an operation: the operator follows it, in whichever way it got there", async () => {
  const { findings, report } = await exploration(consumers);
  assert.deepEqual(findings, [], report);
});

test("[OUT10] who notes what happened outside before it has done what follows is found, and the report says what happened there", async () => {
  const { findings, report } = await exploration(hasty);
  assert.equal(findings.length, 1, report);
  assert.match(report, /user {3}outside: the queue fills/);
});

test("[OUT10] what happened outside is so from the beginning where it is compared with what was wanted from the beginning", async () => {
  const copying = (queue: Queue) =>
    defineController(Consumer, {
      owns: [ConfigMap],
      sources: [poll({ interval: "5m", jitter: 0, read: () => queue.read() })],
      async reconcile({ metadata: { name } }, { apply }) {
        await apply(ConfigMap, { metadata: { name }, data: { length: String(await queue.read()) } });
      },
    });
  const { findings, report } = await explore({
    external: () => new Queue(),
    controllers: (queue) => [copying(queue)],
    ops: (user) => [
      user.outside("the queue fills", (queue) => void (queue.length = 3)),
      user.create(Consumer, { metadata: at, spec: {} }),
      user.mergePatch(Consumer, "default/mail", { spec: { cooldown: "1m" } }),
    ],
    runs: 40,
  });
  assert.deepEqual(findings, [], report);
});

test("[OUT10] operations on the outside without one make no sense", async () => {
  const exploration = explore({ controllers: [consumers(new Queue())], ops: (user) => [user.outside("the queue fills", () => {})] });
  await assert.rejects(exploration, /^TypeError: explore: an operation changes what is outside, so give external as well$/);
});

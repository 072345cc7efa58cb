import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a program of its own, since the test runner has its own opinion on rejections. */
async function runProgram(body: string): Promise<{ readonly code: number; readonly output: string }> {
  const url = new URL("./forgotten-promises.ts", import.meta.url).href;
  const program = `import { catchForgotten, remembering } from ${JSON.stringify(url)};\n${body}`;
  try {
    const { stdout } = await run(process.execPath, ["--conditions=@kaji/source", "--input-type=module", "--eval", program]);
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stderr } = error as { readonly code: number; readonly stderr: string };
    return { code, output: stderr };
  }
}

test("[PAN1] a rejected promise that was not awaited is reported to the call that made it, at any depth, and does not end the process", async () => {
  const { code, output } = await runProgram(`
    using forgotten = catchForgotten();
    const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    async function fail(text) { await later(1); throw new Error(text); }
    const found = [];
    const call = (name) => remembering({ forgotten: (error) => found.push(name + ": " + error.message) }, async () => {
      fail("deep " + name);
      Promise.reject(new Error("at once " + name));
      await later(0);
    });
    await Promise.all([call("a"), call("b")]);
    await later(20);
    console.log(found.toSorted().join());
  `);
  assert.deepEqual([code, output.trim()], [0, "a: at once a,a: deep a,b: at once b,b: deep b"]);
});

test("[PAN2] an unhandled rejection outside of reconciles still ends the process", async () => {
  const { code, output } = await runProgram(`
    using forgotten = catchForgotten();
    Promise.reject(new Error("outside of reconciles"));
    await new Promise((resolve) => setTimeout(resolve, 1000));
  `);
  assert.equal(code, 1);
  assert.match(output, /outside of reconciles/);
});

test("[PAN3] a reconcile that does not await a rejected promise has failed: it is retried, and the process goes on", async () => {
  const bar = JSON.stringify(new URL("../testing/bar.ts", import.meta.url).href);
  const define = JSON.stringify(new URL("../declare/define-controller.ts", import.meta.url).href);
  const { code, output } = await runProgram(`
    import { Bar, barDraft, barWorld } from ${bar};
    import { defineController } from ${define};
    await using world = await barWorld();
    let reconciles = 0;
    const fail = async (ms) => { await world.clock.sleep(ms); throw new Error("forgotten"); };
    world.start(defineController(Bar, {
      async reconcile() {
        reconciles++;
        if (reconciles === 1) { fail(1); await world.clock.sleep(2); }
        if (reconciles === 2) fail(1000);
      },
    }));
    await world.client.create(Bar, barDraft("a"));
    await world.pass(500);
    const before = reconciles;
    await world.pass(2000);
    console.log(before, reconciles, world.log.messages.join("; "));
  `);
  assert.deepEqual(
    [code, output.trim()],
    [
      0,
      "2 3 unhandled rejection in reconcile: a promise was not awaited; reconcile failed; requeued with backoff; unhandled rejection in reconcile: a promise was not awaited",
    ],
  );
});

test("[PAN3] so it has where that is the promise of a write, which the reconcile lasts for", async () => {
  const bar = JSON.stringify(new URL("../testing/bar.ts", import.meta.url).href);
  const define = JSON.stringify(new URL("../declare/define-controller.ts", import.meta.url).href);
  const { code, output } = await runProgram(`
    import { Bar, Part, barDraft, barWorld } from ${bar};
    import { defineController } from ${define};
    await using world = await barWorld();
    const begun = [];
    world.start(defineController(Bar, {
      owns: [Part],
      async reconcile({ spec }, { apply, clock }) {
        begun.push(clock.monotonic());
        if (begun.length === 1) apply(Part, { metadata: { name: spec.partName }, spec: {} });
      },
    }));
    await world.settle();
    world.intercept = async ({ method }) => {
      if (method !== "PATCH") return;
      await world.clock.sleep(500);
      throw new Error("the request was lost");
    };
    await world.client.create(Bar, barDraft("a"));
    await world.pass(2000);
    console.log(begun.length, begun[1] - begun[0] >= 500, world.log.messages.join("; "));
  `);
  assert.deepEqual([code, output.trim()], [0, "2 true unhandled rejection in reconcile: a promise was not awaited"]);
});

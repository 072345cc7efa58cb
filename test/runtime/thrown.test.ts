import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@kaji/core/testing";
import { defineController, terminal } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { OperatorRig } from "./operator-rig.ts";

const revoked = Proxy.revocable({}, {});
revoked.revoke();
const cyclic = new Error("turns in circles");
cyclic.cause = cyclic;

/** Whatever can be thrown, and what must be told of it. */
const thrown: Readonly<Record<string, { readonly make: () => unknown; readonly says?: RegExp }>> = {
  error: { make: () => new Error("did not work"), says: /did not work/ },
  text: { make: () => "just text", says: /just text/ },
  nothing: { make: () => undefined },
  null: { make: () => null },
  number: { make: () => 0 },
  bigint: { make: () => 10n, says: /10/ },
  symbol: { make: () => Symbol("odd"), says: /odd/ },
  function: { make: () => () => {} },
  bare: { make: () => Object.create(null) },
  frozen: { make: () => Object.freeze(new Error("frozen")), says: /frozen/ },
  numeric: { make: () => Object.assign(new Error(), { message: 5, name: 7, stack: 9 }) },
  getter: { make: () => Object.defineProperty(new Error("hidden"), "message", { get: () => assert.fail("looked at") }) },
  unprintable: { make: () => ({ toString: () => assert.fail("printed"), toJSON: () => assert.fail("written") }) },
  revoked: { make: () => revoked.proxy },
  cyclic: { make: () => cyclic, says: /turns in circles/ },
  aggregate: { make: () => new AggregateError([new Error("one")], "several"), says: /several/ },
  abort: { make: () => new DOMException("stopped", "AbortError"), says: /stopped/ },
  lines: { make: () => new Error("two\nlines"), says: /two\\nlines/ },
  terminal: { make: () => terminal(new Error("for good")), says: /for good/ },
};

for (const [how, asynchronous] of [
  ["thrown", false],
  ["rejected with", true],
] as const) {
  test(`[OP8] whatever is ${how}, it is one line that names controller, kind and object, and everything else goes on`, async () => {
    const clock = new ManualClock();
    await using rig = new OperatorRig({ clock });
    await rig.createNamespace("shop");
    const seen = new Set<string>();
    const thrower = defineController(ConfigMap, {
      name: "thrower",
      reconcile({ metadata: { name } }) {
        seen.add(name);
        const { make } = thrown[name] ?? {};
        if (make === undefined) return;
        if (asynchronous) return Promise.reject(make());
        throw make();
      },
    });
    const started = rig.start({ name: "thrower", controllers: [thrower] }, { argv: ["--namespaces=shop"] });
    const names = [...Object.keys(thrown), "well"];
    for (const name of names) await rig.client.create(ConfigMap, { metadata: { namespace: "shop", name } });
    await clock.advance(1);
    assert.deepEqual([...seen].toSorted(), names.toSorted());
    const lines = started
      .err()
      .trimEnd()
      .split("\n")
      .map((line) => ({ line, fields: JSON.parse(line) }));
    for (const [name, { says = /reconcile failed/ }] of Object.entries(thrown)) {
      const about = lines.filter(({ fields }) => fields.object === `shop/${name}`);
      assert.equal(about.length, 1, `${about.length} lines about ${name}`);
      const { line, fields } = about[0] ?? assert.fail();
      assert.deepEqual([fields.level, fields.controller, fields.kind], ["error", "thrower", "v1, Kind=ConfigMap"]);
      assert.match(fields.msg, name === "terminal" ? /with a terminal error; not retried/ : /failed; requeued with backoff/);
      assert.match(line, says);
    }
    await clock.advance(10_000);
    assert.deepEqual(started.exits, []);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { reachable } from "./external-world.ts";

test("[OUT1] a call is told with what is asked, without what made up values differ in and without the signal that ends it", async () => {
  const calls: string[] = [];
  const outside = { put: async (id: string, flag: object, signal: AbortSignal) => `${id} ${JSON.stringify(flag)} ${signal.aborted}` };
  const reached = reachable(outside, {
    call: async ({ text, act }) => {
      calls.push(text);
      return act();
    },
  }) as typeof outside;
  const id = "0b9ef1d2-8a3c-4b1e-9c43-1d1b7c1f7a10";
  assert.equal(await reached.put(id, { on: true }, new AbortController().signal), `${id} {"on":true} false`);
  assert.deepEqual(calls, ['put("<uid>",{"on":true})']);
});

test("[OUT1] what is called is a service; what is only held, as a list, bytes, a URL or a record are, is given as it is", async () => {
  const calls: string[] = [];
  class Point {
    readonly x = 1;
  }
  class Store {
    readonly bytes = Buffer.from("held");
    async put(key: string): Promise<string> {
      return `${key} is in`;
    }
  }
  class Bus extends EventTarget {
    async publish(): Promise<string> {
      return "published";
    }
  }
  class Names extends Map<string, string> {
    first(): string | undefined {
      return this.keys().next().value;
    }
  }
  const held = {
    bytes: Buffer.from("text"),
    view: new Uint16Array([1, 2]),
    url: new URL("https://example.com/a"),
    problem: new RangeError("too far"),
    ready: Promise.resolve("yes"),
    pattern: /a+/,
    names: new Names([["a", "b"]]),
    list: [1],
    record: { a: { b: 1 } },
    bare: Object.freeze({ __proto__: null, a: 1 }),
    point: new Point(),
  };
  const outside = { ...held, store: new Store(), bus: new Bus(), clock: { read: async () => 7 } };
  const reached = reachable(outside, {
    call: async ({ text, act }) => {
      calls.push(text);
      return act();
    },
  }) as typeof outside;
  for (const [name, value] of Object.entries(held)) assert.equal(Reflect.get(reached, name), value, name);
  assert.equal(reached.store.bytes.toString(), "held");
  assert.deepEqual([await reached.store.put("a"), await reached.bus.publish(), await reached.clock.read()], ["a is in", "published", 7]);
  assert.deepEqual(calls, ['store.put("a")', "bus.publish()", "clock.read()"]);
});

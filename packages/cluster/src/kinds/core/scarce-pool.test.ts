import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createNamespace } from "@kaji-tools/record";
import { createApiServer } from "../../create-api-server.ts";
import { Reservations, nodePorts } from "./scarce-pool.ts";
import type { ScarcePool } from "./scarce-pool.ts";

test("what one write has taken no other gets, until it is over", () => {
  const ports = new Reservations<number>();
  const [first, second] = [ports.open(nodePorts, () => false), ports.open(nodePorts, () => false)];
  assert.equal(first.take(31_000), true);
  assert.equal(second.take(31_000), false);
  assert.notEqual(first.takeNext(), second.takeNext());
  first.settle();
  assert.equal(second.take(31_000), true);
});

test("what is in storage is nobody's to take", () => {
  const hand = new Reservations<number>().open(nodePorts, (port) => port === 30_086 || port === 30_087);
  assert.equal(hand.take(30_087), false);
  assert.equal(hand.takeNext(), 30_088);
});

test("a pool that is empty says so", () => {
  const hand = new Reservations<number>().open(smallPool, (item) => item === 10);
  assert.deepEqual([hand.takeNext(), hand.takeNext(), hand.takeNext(), hand.takeNext()], [11, 12, 13, undefined]);
});

test("what is kept for those who ask for it is handed out when all else is taken", () => {
  const free = new Set([10, 12, 13]);
  const hand = new Reservations<number>().open(smallPool, (item) => !free.has(item));
  assert.deepEqual([hand.takeNext(), hand.takeNext()], [10, 12]);
  free.add(11);
  assert.deepEqual([hand.takeNext(), hand.takeNext(), hand.takeNext()], [11, 13, undefined]);
});

test("what is taken is passed over once, not for every item that is handed out", () => {
  const taken = new Set<number>();
  let asked = 0;
  const ports = new Reservations<number>();
  for (let count = 0; count < nodePorts.dynamic; count++) {
    const hand = ports.open(nodePorts, (port) => {
      asked++;
      return taken.has(port);
    });
    taken.add(hand.takeNext() ?? 0);
    hand.settle();
  }
  assert.deepEqual([taken.size, asked], [nodePorts.dynamic, nodePorts.dynamic]);
});

/** 10 to 13, of which 13 is kept. */
const smallPool: ScarcePool<number> = { range: "10-13", has: () => true, size: 4, dynamic: 3, at: (index) => 10 + index, sample: () => 0 };

test("services that are created at once have different addresses and ports", async () => {
  const clock = new ManualClock();
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1) });
  const send = server.transport();
  await createNamespace("default", send);
  const created = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const service = { metadata: { name: `s${index}` }, spec: { type: "NodePort", ports: [{ port: 80 }] } };
      const response = await send({
        method: "POST",
        path: "/api/v1/namespaces/default/services",
        headers: { "content-type": "application/json" },
        body: new TextEncoder().encode(JSON.stringify(service)),
      });
      const pieces: Uint8Array[] = [];
      for await (const piece of response.body) pieces.push(piece);
      return Buffer.concat(pieces).toString("utf8");
    }),
  );
  const addresses = created.map((text) => /"clusterIP":"([^"]+)"/.exec(text)?.[1]);
  const ports = created.map((text) => /"nodePort":(\d+)/.exec(text)?.[1]);
  assert.deepEqual([new Set(addresses).size, new Set(ports).size], [20, 20]);
});

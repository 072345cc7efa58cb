import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createNamespace } from "@kaji-tools/record";
import { createApiServer } from "../../create-api-server.ts";
import { Reservations, nodePorts } from "./scarce-pool.ts";

test("what one write has taken no other gets, until it is over", () => {
  const ports = new Reservations(nodePorts);
  const [first, second] = [ports.open(() => []), ports.open(() => [])];
  assert.equal(first.take(31_000), true);
  assert.equal(second.take(31_000), false);
  assert.notEqual(first.takeNext(), second.takeNext());
  first.settle();
  assert.equal(second.take(31_000), true);
});

test("what is in storage is nobody's to take", () => {
  const hand = new Reservations(nodePorts).open(() => [30_086, 30_087]);
  assert.equal(hand.take(30_087), false);
  assert.equal(hand.takeNext(), 30_088);
});

test("a pool that is empty says so", () => {
  const pool = { range: "1-2", has: () => true, items: () => [1, 2], sample: () => 0 };
  const hand = new Reservations(pool).open(() => [1]);
  assert.deepEqual([hand.takeNext(), hand.takeNext()], [2, undefined]);
});

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

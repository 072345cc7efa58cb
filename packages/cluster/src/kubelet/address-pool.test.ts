import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressPool } from "./address-pool.ts";

test("each node has a network of its own, and each pod an address that no other has", () => {
  const used = new Set<string>();
  const pools = [0, 1, 300].map((index) => new AddressPool(index, (address) => used.has(address)));
  assert.deepEqual(
    pools.map(({ cidr }) => cidr),
    ["10.244.0.0/24", "10.244.1.0/24", "10.245.44.0/24"],
  );
  for (const pool of pools) {
    for (let count = 0; count < 100; count++) {
      const address = pool.take();
      assert.ok(!used.has(address));
      used.add(address);
    }
  }
});

test("an address that is free again is given away last, and none when all are used", () => {
  const used = new Set<string>();
  const pool = new AddressPool(0, (address) => used.has(address));
  for (let count = 0; count < 253; count++) used.add(pool.take());
  assert.throws(() => pool.take(), /no address is left in 10\.244\.0\.0\/24/);
  used.delete("10.244.0.77");
  assert.equal(pool.take(), "10.244.0.77");
  assert.throws(() => new AddressPool(3072, () => false), /there are addresses for 3072 nodes, not for 3073/);
});

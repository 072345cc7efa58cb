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
      const address = pool.take(String(count));
      assert.ok(!used.has(address));
      used.add(address);
    }
  }
});

test("an address that is free again is given away last, and none when all are used", () => {
  const used = new Set<string>();
  const pool = new AddressPool(0, (address) => used.has(address));
  for (let count = 0; count < 253; count++) used.add(pool.take(String(count)));
  for (let count = 0; count < 253; count++) pool.release(String(count));
  assert.throws(() => pool.take("a"), /no address is left in 10\.244\.0\.0\/24/);
  used.delete("10.244.0.77");
  assert.equal(pool.take("a"), "10.244.0.77");
  assert.throws(() => new AddressPool(3072, () => false), /there are addresses for 3072 nodes, not for 3073/);
});

test("an address that is given away is not given to another before it is seen in use, however few are left", () => {
  const used = new Set(Array.from({ length: 252 }, (_, index) => `10.244.0.${index + 2}`));
  const pool = new AddressPool(0, (address) => used.has(address));
  assert.equal(pool.take("a"), "10.244.0.254");
  assert.equal(pool.take("a"), "10.244.0.254", "a pod whose status could not be written keeps its own");
  assert.throws(() => pool.take("b"), /no address is left/);
  pool.release("a");
  assert.equal(pool.take("b"), "10.244.0.254");
});

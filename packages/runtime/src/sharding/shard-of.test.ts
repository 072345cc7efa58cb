import assert from "node:assert/strict";
import { test } from "node:test";
import { shardOf } from "./shard-of.ts";

test("[SHARD12] the shard of an object follows from its key alone, in every version and every process", () => {
  const shards = { "shop/a": 808, "shop/b": 783, "default/web-0": 141, "default/web-1": 451, "node-1": 164, "äöü/日本": 875 };
  for (const [key, shard] of Object.entries(shards)) assert.equal(shardOf(key, 1000), shard, key);
  assert.deepEqual(
    Object.keys(shards).map((key) => shardOf(key, 8)),
    [0, 7, 5, 3, 4, 3],
  );
});

test("[SHARD12] objects are spread evenly, also those whose names differ in little", () => {
  const namings = [
    (index: number) => `shop/web-${index}`,
    (index: number) => `ns-${index}/web`,
    // The same digits twice: what FNV-1a alone has in common for all of them is its lowest bit.
    (index: number) => `shop/${index}-${index}`,
  ];
  for (const count of [2, 3, 8, 64]) {
    for (const naming of namings) {
      const keys = Array.from({ length: 200 * count }, (_, index) => naming(index));
      const sizes = Array.from(Map.groupBy(keys, (key) => shardOf(key, count)).values(), ({ length }) => length);
      assert.ok(sizes.length === count && Math.min(...sizes) > 140 && Math.max(...sizes) < 260, `${count}: ${sizes.join()}`);
    }
  }
});

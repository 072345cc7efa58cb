import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndpointSubset } from "@kaji/types/core/v1";
import { withinCapacity } from "./endpoints-capacity.ts";

const addresses = (count: number): NonNullable<EndpointSubset["addresses"]> =>
  Array.from({ length: count }, (_address, index) => ({ ip: `10.0.${index >> 8}.${index & 255}` }));
const subset = (ready: number, waiting: number): EndpointSubset => ({
  ...(ready === 0 ? {} : { addresses: addresses(ready) }),
  ...(waiting === 0 ? {} : { notReadyAddresses: addresses(waiting) }),
});
const cut = (...sizes: readonly (readonly [number, number])[]): unknown => {
  const { isCut, subsets } = withinCapacity(sizes.map(([ready, waiting]) => subset(ready, waiting)));
  return [isCut, subsets.map((each) => [each.addresses?.length ?? 0, each.notReadyAddresses?.length ?? 0])];
};

test("[EP1] what is ready comes first, and each subset has its share", () => {
  assert.deepEqual(cut([600, 400]), [false, [[600, 400]]]);
  assert.deepEqual(cut([600, 401]), [true, [[600, 400]]]);
  assert.deepEqual(cut([500, 100], [300, 300]), [
    true,
    [
      [500, 50],
      [300, 150],
    ],
  ]);
  assert.deepEqual(cut([900, 5], [600, 0]), [
    true,
    [
      [600, 0],
      [400, 0],
    ],
  ]);
  assert.deepEqual(cut([1001, 0], [0, 7]), [true, [[1000, 0]]]);
});

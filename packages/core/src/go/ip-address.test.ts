import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatIpAddress, maskedPrefix, parseIpAddress, parseIpPrefix, prefixContains } from "./ip-address.ts";

test("[URL1] an address that is written is read as the same", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = parseIpAddress(text);
      assert.deepEqual(parseIpAddress(formatIpAddress(address)), address);
    }),
  );
  const bits = fc.array(fc.constantFrom(0, 1, 0xffff), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(bits, (groups) => {
      const text = groups.map((group) => group.toString(16)).join(":");
      assert.deepEqual(parseIpAddress(formatIpAddress(parseIpAddress(text))), parseIpAddress(text));
    }),
  );
});

test("a network contains what has its first bits", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), fc.nat(32), (network, other, length) => {
      const prefix = parseIpPrefix(`${network}/${length}`);
      const masked = maskedPrefix(prefix);
      assert.ok(prefixContains(prefix, masked.address) && prefixContains(masked, prefix.address));
      assert.equal(prefixContains(prefix, parseIpAddress(other)), prefixContains(masked, parseIpAddress(other)));
    }),
  );
  assert.equal(prefixContains(parseIpPrefix("::/0"), parseIpAddress("1.2.3.4")), false);
});

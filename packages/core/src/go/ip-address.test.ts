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

test("[URL1] what is no address is refused in Go's words, for what is wrong first", () => {
  for (const [text, problem] of [
    ["1.2.3", "IPv4 address too short"],
    ["1.2.3.4.5", "IPv4 address too long"],
    ["5.", 'IPv4 field must have at least one digit (at ".")'],
    [".5.x", 'IPv4 field must have at least one digit (at ".5.x")'],
    ["1.x.300", 'unexpected character (at "x.300")'],
    ["1.02.300", "IPv4 field has octet with leading zero"],
    ["0:1:::1:ff", 'each colon-separated field must have at least one digit (at ":1:ff")'],
    ["1::2::x", 'multiple :: in address (at ":x")'],
    ["12345::x", 'each group must have 4 or less digits (at "12345::x")'],
    ["1:2:3:4:5:6:7:", 'colon must be followed by more characters (at ":")'],
    ["1:2:3:4:5:6:7:8:9", 'trailing garbage after address (at "9")'],
    ["1:2:3:1.2.3.4", 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
    ["::1:2:3:4:5:6:7:1.2.3.4", 'too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")'],
    ["1:2:3:4:5:6:7::8", "the :: must expand to at least one field of zeros"],
    ["https://example.com/%20", 'each colon-separated field must have at least one digit (at "https://example.com/")'],
  ] as const) {
    assert.throws(() => parseIpAddress(text), { message: `ParseAddr(${JSON.stringify(text)}): ${problem}` });
  }
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

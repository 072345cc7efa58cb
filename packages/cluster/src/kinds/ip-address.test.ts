import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldPath } from "@kaji/core";
import { ipErrors, parseIp } from "./ip-address.ts";
import { cidrErrors } from "./ip-range.ts";
import { cidrWarnings, ipWarnings } from "./ip-warnings.ts";

const path = FieldPath.of("ip");
const bodies = (errors: readonly { readonly body: string }[]): readonly string[] => errors.map(({ body }) => body);

test("an address has one canonical form", () => {
  assert.equal(parseIp("2001:DB8:0:0::1")?.canonical, "2001:db8::1");
  assert.equal(parseIp("010.0.0.1")?.canonical, "10.0.0.1");
  const ip = { family: 4, bits: 0x0a_00_00_01n, zone: "" };
  assert.deepEqual(parseIp("::ffff:10.0.0.1"), { ip, family: "IPv4", canonical: "10.0.0.1", isMapped: true, hasLeadingZeros: false });
});

test("what is not an address is none", () => {
  for (const text of ["", "10.0.0", "10.0.0.256", "10.0.0.1/24", "fe80::1%eth0", "x", ":::"]) assert.equal(parseIp(text), undefined, text);
});

test("addresses that other programs may read otherwise are refused, unless they were there before", () => {
  assert.deepEqual(bodies(ipErrors(path, "010.0.0.1")), ['Invalid value: "010.0.0.1": must not have leading 0s']);
  assert.deepEqual(bodies(ipErrors(path, "::ffff:10.0.0.1")), [
    'Invalid value: "::ffff:10.0.0.1": must not be an IPv4-mapped IPv6 address',
  ]);
  assert.deepEqual(ipErrors(path, "010.0.0.1", ["010.0.0.1"]), []);
});

test("a range has no bits beyond its prefix", () => {
  assert.deepEqual(cidrErrors(path, "10.9.8.0/24"), []);
  assert.deepEqual(cidrErrors(path, "2001:db8::/64"), []);
  assert.deepEqual(bodies(cidrErrors(path, "10.9.8.7/24")), [
    'Invalid value: "10.9.8.7/24": must not have bits set beyond the prefix length',
  ]);
  assert.deepEqual(bodies(cidrErrors(path, "10.0.0.0/33")), [
    'Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ]);
});

test("only IPv6 that is written oddly earns a warning", () => {
  assert.deepEqual(ipWarnings(path, "10.0.0.1"), []);
  assert.deepEqual(ipWarnings(path, "2001:db8::1"), []);
  assert.deepEqual(ipWarnings(path, "2001:DB8::1"), [
    'ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
  ]);
  assert.deepEqual(cidrWarnings(path, "2001:DB8::/32"), [
    'ip: IPv6 CIDR value "2001:DB8::/32" should be in RFC 5952 canonical format ("2001:db8::/32")',
  ]);
});

test("the bits of an address are all counted", () => {
  for (const text of ["10.0.0.1/32", "2001:db8::1/128", "::1/128", "1:2:3:4:5:6:7:9/128"])
    assert.deepEqual(cidrErrors(path, text), [], text);
  for (const text of ["10.0.0.1/31", "2001:db8::1/127", "::1/127", "1:2:3:4:5:6:7:9/127"])
    assert.equal(cidrErrors(path, text).length, 1, text);
});

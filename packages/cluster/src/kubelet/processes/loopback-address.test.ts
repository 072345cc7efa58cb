import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressPool } from "../address-pool.ts";
import { loopbackAddress } from "./loopback-address.ts";

test("[PROC7] every address that a pod can have is one on loopback, each its own; on other systems than Linux there is but one", () => {
  const pools = [0, 1, 255, 256, 255 + 256 * 11].map((index) => new AddressPool(index, () => false));
  const reached = pools.map((pool) => loopbackAddress(pool.take(), "linux"));
  assert.deepEqual(reached, ["127.244.0.2", "127.244.1.2", "127.244.255.2", "127.245.0.2", "127.255.255.2"]);
  for (const pool of pools) assert.equal(loopbackAddress(pool.take(), "darwin"), "127.0.0.1");
});

test("[PROC7] a node is this machine, and whoever else there is stays where they are", () => {
  assert.equal(loopbackAddress("172.18.0.2", "linux"), "127.0.0.1");
  for (const address of ["10.243.0.2", "10.1.2.3", "192.168.0.1", "fd00::1", "example.com", ""]) {
    assert.equal(loopbackAddress(address, "linux"), address);
  }
});

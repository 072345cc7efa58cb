import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressPool } from "../address-pool.ts";
import { LoopbackNetwork } from "./loopback-network.ts";

const networks = [0, 1, 255, 256, 255 + 256 * 11];

function podAddresses(): readonly string[] {
  return networks.map((index) => new AddressPool(index, () => false).take("a"));
}

test("[PROC7] every address that a pod can have is one on loopback, each its own; on other systems than Linux there is but one", async () => {
  await using linux = await LoopbackNetwork.claim("linux");
  const reached = podAddresses().map((address) => linux.reach(address));
  for (const address of reached) assert.match(address, /^127\.\d+\.\d+\.2$/);
  assert.equal(new Set(reached).size, networks.length);
  await using darwin = await LoopbackNetwork.claim("darwin");
  for (const address of podAddresses()) assert.equal(darwin.reach(address), "127.0.0.1");
});

test("[PROC7] control planes that run at the same time have addresses of their own, which others have when one of them ends", async () => {
  await using first = await LoopbackNetwork.claim("linux");
  let beginning: string;
  {
    await using second = await LoopbackNetwork.claim("linux");
    beginning = second.reach("10.244.0.2");
    const reached = [first, second].flatMap((network) => podAddresses().map((address) => network.reach(address)));
    assert.equal(new Set(reached).size, 2 * networks.length);
  }
  await using third = await LoopbackNetwork.claim("linux");
  assert.equal(third.reach("10.244.0.2"), beginning);
});

test("[PROC7] a node is this machine, and whoever else there is stays where they are", async () => {
  await using network = await LoopbackNetwork.claim("linux");
  assert.equal(network.reach("172.18.0.2"), "127.0.0.1");
  for (const address of ["10.243.0.2", "10.1.2.3", "192.168.0.1", "fd00::1", "example.com", ""]) {
    assert.equal(network.reach(address), address);
  }
});

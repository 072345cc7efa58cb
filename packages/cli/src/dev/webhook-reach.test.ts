import assert from "node:assert/strict";
import { test } from "node:test";
import { localReach, noReach, reachAt } from "./webhook-reach.ts";

test("an API server on this machine calls where the operator listens, and there alone", async () => {
  const { address, url } = await localReach();
  assert.match(address, /^127\.0\.0\.1:\d+$/);
  assert.equal(url, `https://${address}`);
  assert.equal((await noReach()).url, undefined);
});

test("an API server elsewhere calls the name that it is told, with the port or with a free one", async () => {
  assert.deepEqual(await reachAt("192.168.1.7:9443"), { address: ":9443", url: "https://192.168.1.7:9443" });
  assert.deepEqual(await reachAt("dev.example.com:443"), { address: ":443", url: "https://dev.example.com:443" });
  assert.deepEqual(await reachAt("[fd00::1]:9443"), { address: ":9443", url: "https://[fd00::1]:9443" });
  for (const host of ["host.docker.internal", "Host.Docker.Internal"]) {
    const { address, url } = await reachAt(host);
    assert.match(address, /^:\d+$/);
    assert.equal(url, `https://host.docker.internal${address}`);
  }
  assert.match((await reachAt("fd00::1")).url ?? "", /^https:\/\/\[fd00::1\]:\d+$/);
});

test("what is no host is refused with an example of one", async () => {
  for (const wrong of ["", "https://host:1", "host:port", "host/path", "a host", "me@host", "host:99999"])
    await assert.rejects(reachAt(wrong), {
      message: `--webhook-host ${JSON.stringify(wrong)} must be a name or an address of this machine, and maybe a port: host.docker.internal, 192.168.1.7:9443`,
    });
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { systemRandom } from "@kaji/core";
import type { Random } from "@kaji/core";
import { freePorts } from "./free-ports.ts";

test("a port on which somebody listens is passed over", async () => {
  const [taken = 0, other = 0] = await freePorts(2, systemRandom);
  const server = createServer().listen(taken, "127.0.0.1");
  await once(server, "listening");
  assert.deepEqual(await freePorts(1, rolls(taken, taken, other)), [other]);
  server.close();
});

test("ports are different, and below those of outgoing connections", async () => {
  const [first = 0, second = 0] = await freePorts(2, systemRandom);
  assert.deepEqual(await freePorts(2, rolls(first, first, second)), [first, second]);
  for (const port of [first, second]) assert.ok(port >= 10_000 && port < 32_768, String(port));
});

test("the search ends when no port is free", async () => {
  const [only = 0] = await freePorts(1, systemRandom);
  await assert.rejects(freePorts(2, rolls(only)), /no 2 free ports found on 127\.0\.0\.1 between 10000 and 32767/);
});

/** Dice that fall on these ports, and then on the last of them for ever. */
function rolls(...ports: readonly number[]): Random {
  let roll = 0;
  const next = (): number => ((ports[Math.min(roll++, ports.length - 1)] ?? 0) - 10_000 + 0.5) / 22_768;
  return { ...systemRandom, next };
}

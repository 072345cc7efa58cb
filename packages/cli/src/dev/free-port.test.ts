import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { systemRandom } from "@kaji/core";
import type { Random } from "@kaji/core";
import { freePort } from "./free-port.ts";

test("a free port is none that a system gives to whoever asks for any, nor one that somebody listens on", async () => {
  const taken = await freePort();
  const server = createServer().listen(taken, "127.0.0.1");
  await once(server, "listening");
  const other = await freePort();
  for (const port of [taken, other]) assert.ok(port >= 10_000 && port < 32_768, String(port));
  assert.equal(await freePort(rolls(taken, taken, other)), other);
  await assert.rejects(freePort(rolls(taken)), { message: "there is no free port on 127.0.0.1 between 10000 and 32767" });
  server.close();
});

/** Dice that fall on these ports, and then on the last of them for ever. */
function rolls(...ports: readonly number[]): Random {
  let roll = 0;
  const next = (): number => ((ports[Math.min(roll++, ports.length - 1)] ?? 0) - 10_000 + 0.5) / 22_768;
  return { ...systemRandom, next };
}

import { once } from "node:events";
import { createServer } from "node:net";
import { randomBelow, systemRandom } from "@kaji/core";
import type { Random } from "@kaji/core";

/** Below the ports that systems give to whoever asks for any, so that nobody is given it before it is used, or while what listens on it is started again. */
const lowest = 10_000;
const highest = 32_767;
const attempts = 100;

/** A port of this machine that no program listens on at the moment. */
export async function freePort(random: Random = systemRandom): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = lowest + randomBelow(random, highest - lowest + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`there is no free port on 127.0.0.1 between ${lowest} and ${highest}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

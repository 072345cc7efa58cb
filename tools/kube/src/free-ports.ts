import { once } from "node:events";
import { createServer } from "node:net";
import { randomBelow } from "@kaji/core";
import type { Random } from "@kaji/core";

/** Below the range that systems take ports for outgoing connections from, so that no such connection takes it before the server does. */
const lowest = 10_000;
const highest = 32_767;
const attempts = 100;

/** Different ports of the loopback interface on which nobody listens at this moment. */
export async function freePorts(count: number, random: Random): Promise<number[]> {
  const ports = new Set<number>();
  for (let attempt = 0; ports.size < count; attempt++) {
    if (attempt === attempts) throw new Error(`no ${count} free ports found on 127.0.0.1 between ${lowest} and ${highest}`);
    const port = lowest + randomBelow(random, highest - lowest + 1);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
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

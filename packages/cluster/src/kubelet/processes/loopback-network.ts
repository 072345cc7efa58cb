import { once } from "node:events";
import { createServer } from "node:net";
import type { Server } from "node:net";

/** The first of the networks that `AddressPool` gives addresses of, by its second number, and how many there are. */
const firstOfPods = 244;
const networksOfPods = 12;
const podNetworks = /^10\.(2(?:4[4-9]|5\d))\./;
const nodeNetwork = /^172\.18\./;
/** Where the networks of control planes begin on loopback. */
const beginnings: readonly number[] = Array.from({ length: 20 }, (_, index) => firstOfPods - index * networksOfPods);

/**
 * Where the processes of one control plane are reached from this machine. Pods keep the addresses that they would have in a cluster, since endpoints may not be on loopback;
 * behind each is one on loopback, and behind those of nodes this machine. Control planes that run at the same time have different ones. Only Linux has all of 127.0.0.0/8
 * without being told; elsewhere there is one address for all.
 */
export class LoopbackNetwork implements AsyncDisposable {
  readonly #beginning: number;
  readonly #claim: Server | undefined;

  private constructor(beginning: number, claim: Server | undefined) {
    this.#beginning = beginning;
    this.#claim = claim;
  }

  /** Takes the first network that no other control plane of this machine has. It is had as long as this process lives, and so is free again whatever ends it. */
  static async claim(platform: NodeJS.Platform = process.platform): Promise<LoopbackNetwork> {
    if (platform !== "linux") return new LoopbackNetwork(firstOfPods, undefined);
    for (const beginning of beginnings) {
      const claim = await claimOf(beginning);
      if (claim !== undefined) return new LoopbackNetwork(beginning, claim);
    }
    throw new Error(`${beginnings.length} control planes run pods as processes of this machine, and there are addresses for no more`);
  }

  /** At which address of this machine one of the cluster is reached. */
  reach(address: string): string {
    if (nodeNetwork.test(address)) return "127.0.0.1";
    const second = podNetworks.exec(address)?.[1];
    if (second === undefined) return address;
    if (this.#claim === undefined) return "127.0.0.1";
    return address.replace(podNetworks, `127.${this.#beginning + Number(second) - firstOfPods}.`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#claim === undefined) return;
    this.#claim.close();
    await once(this.#claim, "close");
  }
}

/** Listens on a name that only one can listen on, and that is no file; undefined if another does. */
async function claimOf(beginning: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  server.listen({ path: `\0kaji-pods-127.${beginning}`, exclusive: true });
  try {
    await once(server, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return undefined;
    throw error;
  }
  return server;
}

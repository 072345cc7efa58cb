import { KubeClient } from "@kaji/client";
import type { Transport } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import type { ControllerEnvironment } from "@kaji/runtime";
import type { Cluster } from "../../cluster.ts";
import { silentLog } from "../../loops/silent-log.ts";

/** A part of a cluster at work. */
export interface Part extends AsyncDisposable {
  /** Whether there is something left to do before the next timer. */
  readonly isBusy: () => boolean;
}

/** What a part runs beside. */
export type Surroundings = Pick<Cluster, "clock" | "settled" | "transport">;

/** Starts a part; resolves when it has seen all that there is. */
export type StartPart = (environment: ControllerEnvironment, surroundings: Surroundings) => Promise<Part>;

/** A part of a cluster in a process of its own, which ends when so many writes have been made, with the answer to the last one on its way. It is then started again. */
export class MortalProcess implements AsyncDisposable {
  readonly #cluster: Surroundings;
  readonly #startPart: StartPart;
  readonly #deathAfter: number;
  #writes = 0;
  #life: Part | undefined;
  #isReborn = false;

  constructor(cluster: Surroundings, startPart: StartPart, deathAfter: number = Infinity) {
    this.#cluster = cluster;
    this.#startPart = startPart;
    this.#deathAfter = deathAfter;
  }

  /** How many writes there were, in both lives together. */
  get writes(): number {
    return this.#writes;
  }

  async start(): Promise<void> {
    try {
      this.#life = await this.#live();
    } catch (error) {
      if (!this.#isDead) throw error;
      await this.#beBorn();
    }
  }

  /** Resolves when nothing is left to happen before the next timer; a process that has died by then is started again. */
  async settled(): Promise<void> {
    do {
      await this.#cluster.settled();
      if (this.#isDead && !this.#isReborn) await this.#beBorn();
    } while (this.#life?.isBusy() === true);
    await this.#cluster.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#life?.[Symbol.asyncDispose]();
  }

  get #isDead(): boolean {
    return this.#writes >= this.#deathAfter;
  }

  async #beBorn(): Promise<void> {
    this.#isReborn = true;
    await this.#life?.[Symbol.asyncDispose]();
    this.#life = await this.#live();
  }

  async #live(): Promise<Part> {
    const { clock } = this.#cluster;
    const random = seededRandom(2);
    const client = new KubeClient(this.#isReborn ? this.#counting() : this.#mortal(), { clock, random, retries: 0, onWarning: () => {} });
    const informers = new Informers({ source: client.listerWatcher, clock, random, onFailure: () => {} });
    const end = new AbortController();
    const running = informers.run(end.signal);
    const part = await this.#startPart({ client, informers, clock, random, recorder: { event: () => {} }, log: silentLog }, this.#cluster);
    return {
      isBusy: part.isBusy,
      async [Symbol.asyncDispose]() {
        await part[Symbol.asyncDispose]();
        end.abort();
        await running;
      },
    };
  }

  #counting(): Transport {
    const transport = this.#cluster.transport();
    return (request) => {
      if (request.method !== "GET") this.#writes++;
      return transport(request);
    };
  }

  #mortal(): Transport {
    const transport = this.#counting();
    return async (request) => {
      if (this.#isDead) throw new Error("the process is dead");
      const response = await transport(request);
      if (this.#isDead) throw new Error("the process is dead");
      return response;
    };
  }
}

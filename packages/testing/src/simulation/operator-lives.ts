import type { Transport, TransportRequest } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { operatorUser } from "../operator-account.ts";
import { LaggingStorage } from "./lagging-storage.ts";
import { MortalClock } from "./mortal-clock.ts";
import { OperatorProcess } from "./operator-process.ts";
import type { OperatorProcessOptions } from "./operator-process.ts";
import type { Downtime, EventAnchor } from "./plan.ts";
import type { ForkedWorld } from "./prepared-world.ts";

/** How long a killed operator takes to be back. */
const restartMs = 500;
/** How long one takes that is killed for longer, while users let time go by. */
const longRestartMs = 60_000;
/** How long an API server that is behind stays so. */
const behindMs = 20_000;

/** What all lives of an operator have in common. */
export interface OperatorLivesOptions extends Omit<OperatorProcessOptions, "clock" | "life" | "random" | "server"> {
  readonly world: ForkedWorld;
  readonly seed: number;
  /** Whether users have done the last of their operations. */
  readonly isLastOp: () => boolean;
}

/** The operator of a run, life after life: one process at a time, and why there is none. */
export class OperatorLives {
  readonly #options: OperatorLivesOptions;
  readonly #all: OperatorProcess[] = [];
  #present: OperatorProcess | undefined;
  /** Why the operator is away. */
  #down: Downtime | "Restarting" | undefined;
  #isBehind = false;

  constructor(options: OperatorLivesOptions) {
    this.#options = options;
  }

  /** The process that is there. */
  get present(): OperatorProcess | undefined {
    return this.#present;
  }

  /** How many reconciles there have been, in all lives. */
  get reconciles(): number {
    return this.#all.reduce((sum, { reconciles }) => sum + reconciles, 0);
  }

  get isBusy(): boolean {
    return this.#isBehind || this.#down === "Restarting" || this.#present?.isBusy === true;
  }

  /** Whether the operator does not see the world as it is, and may run in circles until it does. */
  get isCutOff(): boolean {
    return this.#isBehind || this.#present?.isCutOff === true;
  }

  /** Starts the operator anew. */
  start(): void {
    this.#start(this.#options.world.server.transport(operatorUser));
  }

  /** Kills the operator, which stays away until it is started if it is not said for how long. */
  crash(down?: Downtime): void {
    const { isLastOp, isWaiting } = this.#options;
    this.#present?.kill();
    this.#present = undefined;
    this.#down = down;
    if (down === "Short") this.#restartAfter(restartMs);
    else if (down !== undefined && isWaiting()) this.#restartAfter(longRestartMs);
    else if (down === "AcrossNextOp" && isLastOp()) this.#down = "UntilQuiet";
  }

  /** Restarts the operator on a server that is behind: what it reads is old, and what it writes is done. */
  travel({ event, nth }: EventAnchor): void {
    const { world, trace } = this.#options;
    const heard = trace.entries.find((entry) => entry.type === "Heard" && entry.anchor.event === event && entry.anchor.nth === nth);
    if (heard?.type !== "Heard") return;
    const { clock, server, storage, replica } = world;
    const old = new LaggingStorage(storage, Number(heard.version));
    const behind = replica(old);
    const [reads, writes] = [behind.transport(operatorUser), server.transport(operatorUser)];
    this.#present?.kill();
    this.#isBehind = true;
    clock.timer(behindMs, () => {
      old.catchUp();
      this.#isBehind = false;
    });
    this.#start((request) => (isFromCache(request) ? reads(request) : writes(request)));
  }

  /** Users have done an operation: what was to last until then is over soon. */
  noteOperation(): void {
    if (this.#down === "AcrossNextOp") this.#restartAfter(restartMs);
    const operator = this.#present;
    if (operator !== undefined) this.#options.world.clock.timer(restartMs, () => operator.release());
  }

  /** Users let time go by: nobody is away for as long as that. */
  noteWait(): void {
    if (this.#down === "UntilQuiet") this.#restartAfter(longRestartMs);
  }

  /** All has come to rest: starts an operator that was to be away until then. Whether there was one. */
  returnWhenQuiet(): boolean {
    if (this.#down !== "UntilQuiet") return false;
    this.start();
    return true;
  }

  /** Nothing goes wrong any more: events that are held come, and the operator is there. */
  recover(): void {
    this.#present?.release();
    if (this.#present === undefined) this.start();
  }

  /** Ends all lives when the run is over. */
  dispose(): void {
    for (const life of this.#all) life.dispose();
  }

  #start(server: Transport): void {
    const { world, seed } = this.#options;
    const life = this.#all.length + 1;
    this.#down = undefined;
    this.#present = new OperatorProcess({
      ...this.#options,
      life,
      server,
      clock: new MortalClock(world.clock),
      random: seededRandom(seed * 7919 + life),
    });
    this.#all.push(this.#present);
  }

  #restartAfter(delayMs: number): void {
    this.#down = "Restarting";
    this.#options.world.clock.timer(delayMs, () => this.start());
  }
}

/** Whether a server answers from what it has heard of; whoever reads without a version is answered from the storage, by any server. */
function isFromCache({ method, path }: TransportRequest): boolean {
  return method === "GET" && /[?&](?:watch=true|resourceVersion=)/.test(path);
}

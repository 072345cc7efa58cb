import type { Clock, Random } from "@kaji/core";
import { outsideText } from "./external-world.ts";

/** What a world outside the cluster is made with. */
export interface OutsideStage {
  /** For ids and the like that are made up there: the same run makes up the same. */
  readonly random: Random;
  /** Does something after a while, such as making ready what was asked for; until then the world is not at rest. */
  readonly later: (delayMs: number, act: () => void) => void;
}

/** How the outside is made, what others do there, and how it refuses what it is asked. */
export interface OutsideOptions {
  readonly external: (stage: OutsideStage) => object;
  readonly drift: Readonly<Record<string, (external: object) => void>>;
  /** How it refuses calls, by name: what is answered or thrown, for the method that was called. */
  readonly refusals: Readonly<Record<string, (method: string) => unknown>>;
}

/** What there is outside the cluster in one run. */
export class Outside {
  /** What the test made of it. */
  readonly world: object;
  readonly #drift: OutsideOptions["drift"];
  readonly #refusals: OutsideOptions["refusals"];
  #left = 0;

  constructor({ external, drift, refusals }: OutsideOptions, clock: Clock, random: Random) {
    this.#drift = drift;
    this.#refusals = refusals;
    this.world = external({
      random,
      later: (delayMs, act) => {
        this.#left++;
        clock.timer(delayMs, () => {
          this.#left--;
          act();
        });
      },
    });
  }

  /** Whether something is still to happen there. */
  get isBusy(): boolean {
    return this.#left > 0;
  }

  /** Answers a call without doing what is asked, in words of its own or as if it could not be reached. */
  async refuse(text: string, words: string | undefined): Promise<unknown> {
    if (words === undefined) throw new Error(`${text}: service unavailable`);
    const refusal = this.#refusals[words];
    if (refusal === undefined) throw new TypeError(`explore: there is no refusal that is named "${words}"`);
    return refusal(text.slice(0, text.indexOf("(")));
  }

  /** Lets somebody change it. False if there was nothing to change. */
  change(name: string): boolean {
    const change = this.#drift[name];
    if (change === undefined) throw new TypeError(`explore: drift has no change that is named "${name}"`);
    const before = outsideText(this.world);
    change(this.world);
    return outsideText(this.world) !== before;
  }
}

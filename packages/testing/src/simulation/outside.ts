import type { Clock, Random } from "@kaji/core";
import { outsideText } from "./external-world.ts";

/** What a world outside the cluster is made with. */
export interface OutsideStage {
  /** For ids and the like that are made up there: the same run makes up the same. */
  readonly random: Random;
  /** Does something after a while, such as making ready what was asked for; until then the world is not at rest. */
  readonly later: (delayMs: number, act: () => void) => void;
}

/** How the outside is made, and what others do there, by name. */
export interface OutsideOptions {
  readonly external: (stage: OutsideStage) => object;
  readonly drift: Readonly<Record<string, (external: object) => void>>;
}

/** What there is outside the cluster in one run. */
export class Outside {
  /** What the test made of it. */
  readonly world: object;
  readonly #drift: OutsideOptions["drift"];
  #left = 0;

  constructor({ external, drift }: OutsideOptions, clock: Clock, random: Random) {
    this.#drift = drift;
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

  /** Lets somebody change it. False if there was nothing to change. */
  change(name: string): boolean {
    const change = this.#drift[name];
    if (change === undefined) throw new TypeError(`explore: drift has no change that is named "${name}"`);
    const before = outsideText(this.world);
    change(this.world);
    return outsideText(this.world) !== before;
  }
}

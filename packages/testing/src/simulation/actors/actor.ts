import type { KubeClient } from "@kaji/client";
import { errorMessage } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Controller } from "@kaji/runtime";
import type { Change, WorldState } from "../world-state.ts";
import { unlessOutrun } from "./unless-outrun.ts";

/** Who writes what the world does by itself. */
export const worldManager = "cluster";

/** What an actor works with. */
export interface Stage {
  readonly client: KubeClient;
  readonly state: WorldState;
  readonly clock: Clock;
  /**
   * Does something after a while, unless it is already to be done; until then the world is not at rest. That somebody else was faster, so that an object is
   * gone or has changed when it is written, is no failure.
   */
  readonly later: (key: string, delayMs: number, act: () => Promise<void>) => void;
}

/** A part of the world beside the operator: it sees every change at once, and reacts in its own time. */
export interface Actor {
  readonly name: string;
  /** Controllers of the world that run beside it, such as one of Kubernetes' own. */
  readonly controllers?: readonly Controller[];
  react(change: Change, stage: Stage): void;
}

/** Puts actors on a stage; what they have left to do is counted. */
export class Actors {
  readonly #pending = new Set<string>();
  #failure: Error | undefined;

  constructor(actors: readonly Actor[], stage: Omit<Stage, "later">) {
    for (const actor of actors) {
      const own: Stage = { ...stage, later: (key, delayMs, act) => this.#later(stage.clock, actor, key, delayMs, act) };
      stage.state.observe((change) => {
        try {
          actor.react(change, own);
        } catch (error) {
          this.#fail(actor, error);
        }
      });
    }
  }

  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** Throws if one of them did. */
  assertSound(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #later(clock: Clock, actor: Actor, what: string, delayMs: number, act: () => Promise<void>): void {
    const key = `${actor.name} ${what}`;
    if (this.#pending.has(key)) return;
    this.#pending.add(key);
    clock.timer(delayMs, () => {
      // What happens from here on may ask for the same again.
      const token = `${key} (at it)`;
      this.#pending.delete(key);
      this.#pending.add(token);
      unlessOutrun(act())
        .catch((error: unknown) => this.#fail(actor, error))
        .finally(() => this.#pending.delete(token));
    });
  }

  #fail({ name }: Actor, error: unknown): void {
    this.#failure ??= new Error(`the actor "${name}" failed: ${errorMessage(error)}`, { cause: error });
  }
}

import type { KubeObject } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import type { Delta } from "../delivery/delta.ts";
import type { InformerFailure } from "../reflector/informer-failure.ts";
import { Informer } from "../informer/informer.ts";
import type { InformerOptions } from "../informer/informer.ts";
import { ScriptedServer } from "../scripted/scripted-server.ts";

/** An informer at a scripted server, with a clock that stands still, a subscriber that keeps a log, and whatever failed. */
export class InformerRig<T extends KubeObject> implements AsyncDisposable {
  readonly server: ScriptedServer = new ScriptedServer();
  readonly clock: ManualClock = new ManualClock();
  readonly informer: Informer<T>;
  readonly failures: InformerFailure[] = [];
  /** What a subscriber was told, such as `Added shop/one 1`. */
  readonly told: string[] = [];
  readonly #end = new AbortController();
  readonly #run: Promise<void>;

  constructor(options: Pick<InformerOptions<T>, "of"> & Partial<InformerOptions<T>>) {
    this.informer = new Informer({
      source: this.server.source,
      clock: this.clock,
      random: seededRandom(1),
      onFailure: (failure) => this.failures.push(failure),
      ...options,
    });
    this.informer.subscribe((delta) => void this.told.push(describeDelta(delta)));
    // A test has until its first await to prepare the server.
    this.#run = Promise.resolve().then(() => this.informer.run(this.#end.signal));
  }

  /** Lets everything happen that takes no time. */
  settle(): Promise<void> {
    return this.clock.advance(0);
  }

  /** What was told since the last time. */
  heard(): string[] {
    return this.told.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#run;
  }
}

/** A delta in one line. */
export function describeDelta<T extends KubeObject>(delta: Delta<DeepReadonly<T>>): string {
  const size: unknown = "spec" in delta.object ? (delta.object.spec as { readonly size?: unknown }).size : "";
  const unknown = delta.type === "Deleted" && delta.finalStateUnknown ? " (unknown)" : "";
  const writer = typeof delta.writer === "string" ? ` by ${delta.writer}` : "";
  return `${delta.type} ${delta.key} ${String(size)}${unknown}${writer}`.trim();
}

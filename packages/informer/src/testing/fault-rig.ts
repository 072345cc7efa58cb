import type { FaultStage } from "../scripted/fault-rows.ts";
import type { ScriptedFault, ScriptedRequest, ScriptedServer } from "../scripted/scripted-server.ts";
import { InformerRig } from "./informer-rig.ts";
import { Widget, widget } from "./widget.ts";

/** What came of a fault. */
export interface FaultOutcome {
  /** States that the server had and that the subscriber was not told. */
  readonly lost: number;
  /** States that the subscriber was told twice. */
  readonly duplicates: number;
  readonly requests: number;
  /** The most requests in any ten seconds. */
  readonly burst: number;
  /** Whether in the end the informer is in step with the server, and says so. */
  readonly recovered: boolean;
}

/** An informer under traffic: every second an object is written and now and then one deleted, every minute a bookmark is sent, and all is counted. */
export class FaultRig implements FaultStage, AsyncDisposable {
  readonly rig: InformerRig<Widget> = new InformerRig({ of: Widget });
  /** What happens to requests, if anything. */
  fault: (request: ScriptedRequest) => ScriptedFault | undefined = () => undefined;
  /** How many requests there were in each ten seconds. */
  readonly #bursts = new Map<number, number>();
  /** What was told, as `key version`. */
  readonly #told: string[] = [];
  /** What was written, likewise. */
  readonly #written = new Set<string>();
  #seconds = 0;

  constructor() {
    const { informer, server, clock } = this.rig;
    informer.subscribe(({ key, type, object }) => {
      if (type !== "Deleted") this.#told.push(`${key} ${object.metadata.resourceVersion}`);
    });
    server.intercept = (request) => {
      const span = Math.floor(clock.monotonic() / 10_000);
      this.#bursts.set(span, (this.#bursts.get(span) ?? 0) + 1);
      return this.fault(request);
    };
    for (let index = 0; index < 10; index++) this.write(`w-${index}`);
  }

  get server(): ScriptedServer {
    return this.rig.server;
  }

  later(seconds: number, act: () => void): void {
    this.rig.clock.timer(seconds * 1000, act);
  }

  write(name: string, size = 0): void {
    const { metadata } = this.rig.server.put(widget(name, { size }));
    this.#written.add(`shop/${name} ${metadata.resourceVersion}`);
  }

  /** Lets time pass under traffic. */
  async pass(seconds: number): Promise<void> {
    const { clock, server } = this.rig;
    for (let index = 0; index < seconds; index++) {
      this.#seconds++;
      this.write(`w-${this.#seconds % 10}`, this.#seconds);
      if (this.#seconds % 17 === 0) server.remove({ namespace: "shop", name: `w-${this.#seconds % 10}` });
      if (this.#seconds % 60 === 0) server.bookmark();
      await clock.advance(1000);
    }
  }

  /** Lets time pass, and nothing happen. */
  async idle(seconds: number): Promise<void> {
    await this.rig.clock.advance(seconds * 1000);
  }

  outcome(): FaultOutcome {
    const { informer, server } = this.rig;
    const told = new Set(this.#told);
    const expected = [...server.objects.values()].map((object) => JSON.stringify(object)).sort();
    const actual = Array.from(informer.lister.list(), (object) => JSON.stringify(object)).sort();
    return {
      lost: this.#written.difference(told).size,
      duplicates: this.#told.length - told.size,
      requests: server.requests.length,
      burst: Math.max(...this.#bursts.values()),
      recovered: informer.state.type === "Synced" && actual.join() === expected.join(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rig[Symbol.asyncDispose]();
  }
}

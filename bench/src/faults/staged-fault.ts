import { systemClock } from "@kaji/core";
import { ScriptedServer } from "@kaji/informer/testing";
import type { FaultRow, FaultStage, ScriptedFault, ScriptedRequest } from "@kaji/informer/testing";
import { FaultServer } from "./fault-server.ts";

/** What stands for a second of a fault, in milliseconds: informers wait in real time, so that minutes of it would take hours. */
const secondMs = 100;
const spanMs = 10_000;

/** One fault of the matrix in real time, between one server and one informer that is elsewhere. */
export class StagedFault implements FaultStage, AsyncDisposable {
  readonly row: FaultRow;
  readonly server: ScriptedServer = new ScriptedServer();
  fault: (request: ScriptedRequest) => ScriptedFault | undefined = () => undefined;
  /** What was written, as `name version`. */
  readonly written: Set<string> = new Set<string>();
  /** How many requests there were in each ten seconds. */
  readonly #spans = new Map<number, number>();
  readonly #http: FaultServer = new FaultServer(this.server);
  #seconds = 0;

  private constructor(row: FaultRow) {
    this.row = row;
    this.server.intercept = (request) => {
      const span = Math.floor(systemClock.monotonic() / spanMs);
      this.#spans.set(span, (this.#spans.get(span) ?? 0) + 1);
      return this.fault(request);
    };
    for (let index = 0; index < 10; index++) this.write(`w-${index}`);
  }

  static async start(row: FaultRow): Promise<StagedFault> {
    const staged = new StagedFault(row);
    await staged.#http.listen();
    return staged;
  }

  get url(): string {
    return this.#http.url;
  }

  /** The most requests in any ten seconds. */
  get burst(): number {
    return Math.max(0, ...this.#spans.values());
  }

  /** What the server has in the end, as `name version`. */
  get present(): ReadonlySet<string> {
    return new Set([...this.server.objects.values()].map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`));
  }

  write(name: string, size = 0, padding = ""): void {
    const annotations = padding === "" ? {} : { annotations: { padding } };
    const { metadata } = this.server.put({
      apiVersion: "bench.kaji.dev/v1",
      kind: "Widget",
      metadata: { name, namespace: "shop", labels: { size: String(size) }, ...annotations },
    });
    this.written.add(`${name} ${metadata.resourceVersion}`);
  }

  async pass(seconds: number): Promise<void> {
    for (let index = 0; index < seconds; index++) {
      this.#seconds++;
      this.write(`w-${this.#seconds % 10}`, this.#seconds);
      if (this.#seconds % 17 === 0) this.server.remove({ namespace: "shop", name: `w-${this.#seconds % 10}` });
      if (this.#seconds % 60 === 0) this.server.bookmark();
      await systemClock.sleep(secondMs);
    }
  }

  async idle(seconds: number): Promise<void> {
    await systemClock.sleep(seconds * secondMs);
  }

  later(seconds: number, act: () => void): void {
    systemClock.timer(seconds * secondMs, act);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http[Symbol.asyncDispose]();
  }
}

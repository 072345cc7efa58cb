import { createInterface } from "node:readline";
import { systemClock } from "@kaji/core";

const sentAt = "bench.kaji.dev/sent-at";

/** The conversation with the benchmark, described in peers/README.md. */
export class Protocol {
  readonly #stamps = new Map<string, string>();
  #expected = 0;
  #latenciesMs: number[] = [];
  readonly #shown: (() => unknown)[] = [];

  say(event: string, details: object = {}): void {
    process.stdout.write(`${JSON.stringify({ event, ...details })}\n`);
  }

  /** Notes how long the change of an object took to come here, the first time that it is seen. */
  arrived(key: string, annotations: Readonly<Record<string, string>> | undefined): void {
    const stamp = annotations?.[sentAt];
    if (stamp === undefined || this.#stamps.get(key) === stamp) return;
    this.#stamps.set(key, stamp);
    this.#latenciesMs.push(systemClock.now() - Number(stamp));
    if (this.#latenciesMs.length === this.#expected) this.say("arrived");
  }

  /** Says what one of several informers was told and has, whenever it is asked. */
  show(index: number, seen: () => unknown): void {
    this.#shown[index] = seen;
  }

  /** Obeys the benchmark until it hangs up. */
  async listen(): Promise<void> {
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.startsWith("expect ")) {
        this.#expected = Number(line.slice("expect ".length));
        this.#latenciesMs = [];
        this.say("expecting");
      } else if (line === "seen") {
        this.say("seen", { seen: this.#shown.map((seen) => seen()) });
      } else if (line === "latencies") {
        this.say("latencies", { ms: this.#latenciesMs });
      }
    }
  }
}

import { createInterface } from "node:readline";

const sentAt = "bench.kaji.dev/sent-at";

/** The conversation with the benchmark, described in ../README.md. */
export class Protocol {
  #stamps = new Map();
  #expected = 0;
  #latenciesMs = [];
  #shown = [];

  say(event, details = {}) {
    process.stdout.write(`${JSON.stringify({ event, ...details })}\n`);
  }

  /** Notes how long the change of an object took to come here, the first time that it is seen. */
  arrived({ name, annotations }) {
    const stamp = annotations?.[sentAt];
    if (stamp === undefined || this.#stamps.get(name) === stamp) return;
    this.#stamps.set(name, stamp);
    this.#latenciesMs.push(Date.now() - Number(stamp));
    if (this.#latenciesMs.length === this.#expected) this.say("arrived");
  }

  /** Says what one of several informers was told and has, whenever it is asked. */
  show(index, seen) {
    this.#shown[index] = seen;
  }

  /** Obeys the benchmark until it hangs up. */
  async listen() {
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

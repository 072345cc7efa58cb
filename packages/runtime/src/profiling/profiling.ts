import { Session } from "node:inspector/promises";
import type { Clock } from "@kaji/core";
import type { HttpRequest } from "../manager/http-server.ts";
import type { HttpReply } from "../manager/http-reply.ts";
import { textReply } from "../manager/http-reply.ts";

/** What can be sampled: what takes processor time, and what allocates memory that is still held at the end. */
type Sampled = "cpu" | "heap";

const defaultSeconds = 10;
const mostSeconds = 300;
/** As in V8 by default: one sample for so many allocated bytes, on average. */
const heapSamplingBytes = 32_768;

/**
 * Samples the process on demand. `/debug/cpu-profile?seconds=10` and `/debug/heap-profile?seconds=10` are answered with a profile that the developer tools of
 * Chrome open, as `.cpuprofile` and `.heapprofile`. While nobody asks it costs nothing.
 */
export class Profiling {
  readonly #clock: Clock;
  #isSampling = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async answer({ path, query }: HttpRequest): Promise<HttpReply> {
    const [, what] = /^\/debug\/(cpu|heap)-profile$/.exec(path) ?? [];
    if (what !== "cpu" && what !== "heap")
      return textReply(404, "404 page not found; there are /debug/cpu-profile, /debug/heap-profile and /debug/reconciles\n");
    const seconds = Number(query.get("seconds") ?? defaultSeconds);
    if (!(seconds > 0 && seconds <= mostSeconds)) return textReply(400, `seconds must be a number up to ${mostSeconds}\n`);
    if (this.#isSampling) return textReply(409, "a profile is being taken already; try again later\n");
    this.#isSampling = true;
    try {
      return { status: 200, contentType: "application/json", body: JSON.stringify(await this.#sample(what, seconds)) };
    } finally {
      this.#isSampling = false;
    }
  }

  async #sample(what: Sampled, seconds: number): Promise<object> {
    using stack = new DisposableStack();
    const session = stack.adopt(new Session(), (open) => open.disconnect());
    session.connect();
    if (what === "cpu") {
      await session.post("Profiler.enable");
      await session.post("Profiler.start");
      await this.#clock.sleep(seconds * 1000);
      return (await session.post("Profiler.stop")).profile;
    }
    await session.post("HeapProfiler.enable");
    await session.post("HeapProfiler.startSampling", { samplingInterval: heapSamplingBytes });
    await this.#clock.sleep(seconds * 1000);
    return (await session.post("HeapProfiler.stopSampling")).profile;
  }
}

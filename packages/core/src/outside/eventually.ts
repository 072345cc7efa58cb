import type { Clock } from "./clock.ts";
import { systemClock } from "./system-clock.ts";

/** Longer than any machine takes for what a test waits for, however busy it is. */
const patienceMs = 120_000;
const pauseMs = 50;

/** Looks again and again until there is something to see, that is neither `undefined` nor `false`. After two minutes it fails, and says what was waited for. */
export async function eventually<T>(what: string, look: () => Promise<T | false | undefined>, clock: Clock = systemClock): Promise<T> {
  const deadlineMs = clock.monotonic() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (clock.monotonic() >= deadlineMs) throw notSo(what);
    await clock.sleep(pauseMs);
  }
}

/** What a promise comes to, if it does so within two minutes; otherwise it fails, and says what was waited for. */
export async function inTime<T>(what: string, coming: Promise<T>, clock: Clock = systemClock): Promise<T> {
  const late = Promise.withResolvers<never>();
  using _limit = clock.timer(patienceMs, () => late.reject(notSo(what)));
  return await Promise.race([coming, late.promise]);
}

function notSo(what: string): Error {
  return new Error(`not so after ${patienceMs / 1000} s: ${what}`);
}

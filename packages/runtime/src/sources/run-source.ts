import { sleepUnlessAborted } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { Source, SourceContext } from "../declare/source.ts";

/** A source that fails is started again after a second, then two, and so on up to a minute. */
const backoff = { baseMs: 1000, maxMs: 60_000 };

/** Runs a source until it is aborted: one that ends by itself is finished, one that fails is started again. */
export async function runSource(source: Source<never>, context: SourceContext<KubeObject>): Promise<void> {
  const { signal, clock, log } = context;
  for (let failures = 0; !signal.aborted; failures++) {
    const startedMs = clock.monotonic();
    try {
      // The definition of the controller has checked that the source is of its kind.
      return await source.run(context as SourceContext<never>);
    } catch (error) {
      if (signal.aborted) return;
      if (clock.monotonic() - startedMs > backoff.maxMs) failures = 0;
      const retryInMs = Math.min(backoff.maxMs, backoff.baseMs * 2 ** failures);
      log.error({ err: error, source: source.name, retryInMs }, "source failed; will restart");
      await sleepUnlessAborted(clock, retryInMs, signal);
    }
  }
}

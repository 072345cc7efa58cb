import type { RunningController } from "@kaji/runtime";
import type { TestedRunnables } from "./tested-runnables.ts";
import { unservedKind } from "./unserved-kind.ts";

/** A cluster whose time stands still unless somebody moves it. */
interface StillTime {
  /** Passes the time that is given to what does not end by the signal. */
  readonly pass: () => Promise<void>;
  /** Resolves when nothing is left to happen, but for what waits for time. */
  readonly settled: () => Promise<void>;
}

/** Lets parts of an operator work until it is disposed of, which ends all that goes by the signal, and passes the time that the rest is given to end; resolves when they have heard of everything. */
export async function startParts(
  running: readonly Pick<RunningController, "mirrored" | "run" | "synced">[],
  beside: TestedRunnables,
  end: AbortController,
  time?: StillTime,
): Promise<AsyncDisposable> {
  await beside.start("BeforeControllers");
  const ended = Promise.all(running.map((each) => each.run(end.signal)));
  const synced = Promise.all(running.map((each) => each.synced));
  await Promise.race([synced, ended, ...(time === undefined ? [] : [time.settled()])]);
  // Nobody asks again, as long as time stands still, for what was not served.
  const unserved = time === undefined ? undefined : unservedKind(running);
  if (unserved !== undefined) throw new Error(unserved);
  await Promise.race([synced, ended]);
  await beside.start("AsLeader");
  return {
    async [Symbol.asyncDispose]() {
      end.abort();
      await Promise.all([ended, time?.pass()]);
    },
  };
}

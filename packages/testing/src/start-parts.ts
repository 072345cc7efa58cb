import type { RunningController } from "@kaji/runtime";
import type { TestedRunnables } from "./tested-runnables.ts";
import { unservedKind } from "./unserved-kind.ts";

/** The cluster that they work in. */
interface Place {
  /** The function by which a test makes it. */
  readonly by: string;
  /** Passes the time that is given to what does not end by the signal. Default: it passes by itself. */
  readonly pass?: () => Promise<void>;
  /** Resolves when nothing is left to happen, or nobody waits for it any longer: what is not served by then has to be brought. */
  readonly settled: (signal: AbortSignal) => Promise<void>;
}

/** Lets parts of an operator work until it is disposed of, which ends all that goes by the signal, and passes the time that the rest is given to end; resolves when they have heard of everything. */
export async function startParts(
  running: readonly Pick<RunningController, "mirrored" | "run" | "synced">[],
  beside: TestedRunnables,
  end: AbortController,
  { by, pass, settled }: Place,
): Promise<AsyncDisposable> {
  await beside.start("BeforeControllers");
  const ended = Promise.all(running.map((each) => each.run(end.signal)));
  const synced = Promise.all(running.map((each) => each.synced));
  const started = new AbortController();
  await Promise.race([synced, ended, settled(started.signal)]);
  started.abort();
  const unserved = unservedKind(running, by);
  if (unserved !== undefined) throw new Error(unserved);
  await Promise.race([synced, ended]);
  await beside.start("AsLeader");
  return {
    async [Symbol.asyncDispose]() {
      end.abort();
      await Promise.all([ended, pass?.()]);
    },
  };
}

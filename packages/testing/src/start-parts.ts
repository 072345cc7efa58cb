import type { RunningController } from "@kaji/runtime";
import type { TestedRunnables } from "./tested-runnables.ts";

/** Lets parts of an operator work until it is disposed of, which ends all that goes by the signal, and passes the time that the rest is given to end; resolves when they have heard of everything. */
export async function startParts(
  running: readonly Pick<RunningController, "run" | "synced">[],
  beside: TestedRunnables,
  end: AbortController,
  passTime: () => Promise<void> = async () => {},
): Promise<AsyncDisposable> {
  await beside.start("BeforeControllers");
  const ended = Promise.all(running.map((each) => each.run(end.signal)));
  await Promise.race([Promise.all(running.map(({ synced }) => synced)), ended]);
  await beside.start("AsLeader");
  return {
    async [Symbol.asyncDispose]() {
      end.abort();
      await Promise.all([ended, passTime()]);
    },
  };
}

import { sleepUnlessAborted } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { Container, LifecycleHandler } from "@kaji/types/core/v1";
import { hookTarget } from "./probe-target.ts";
import type { CheckTarget } from "./probe-target.ts";

/** What hooks are carried out with. */
export interface HookOptions {
  /** Where the process is reached. */
  readonly address: string;
  readonly clock: Clock;
  readonly check: CheckTarget;
}

/** Carries out a hook of a container, and tells whether it went well. It has as long as nobody aborts the signal. */
export async function runHook(
  hook: LifecycleHandler,
  container: Container,
  { address, clock, check }: HookOptions,
  signal: AbortSignal,
): Promise<boolean> {
  if (hook.sleep !== undefined) {
    await sleepUnlessAborted(clock, hook.sleep.seconds * 1000, signal);
    return !signal.aborted;
  }
  const target = hookTarget(hook, container, address);
  return target !== undefined && (await check(target, signal)).type === "Well";
}

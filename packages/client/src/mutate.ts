import { backoffMs, isReason, structuralEqual } from "@kaji/core";
import type { Clock, Draft, KubeObject, Random } from "@kaji/core";

/** How a change is made that depends on what is there. */
export interface MutateOptions {
  /** How often it is tried in all; the last Conflict is thrown. Default 10. */
  readonly attempts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads and writes the one object that is changed. */
export interface MutationTarget<T extends KubeObject> {
  read(): Promise<T>;
  write(object: T | Draft<T>): Promise<T>;
}

/** What the next state is; undefined, or the object as it is, leaves it so. */
export type Mutation<T extends KubeObject> = (current: T) => T | Draft<T> | undefined | Promise<T | Draft<T> | undefined>;

/** Reads, changes and writes an object, again on every Conflict: another client has written in between. */
export async function mutateObject<T extends KubeObject>(
  target: MutationTarget<T>,
  change: Mutation<T>,
  options: MutateOptions & { readonly clock: Clock; readonly random: Random },
): Promise<T> {
  const { attempts = 10, signal, clock, random } = options;
  for (let attempt = 0; ; attempt++) {
    const current = await target.read();
    const next = await change(current);
    if (next === undefined || structuralEqual(current, next)) return current;
    try {
      return await target.write(withVersion(next, current));
    } catch (error) {
      if (!isReason(error, "Conflict") || attempt + 1 >= attempts) throw error;
      await clock.sleep(backoffMs(attempt, conflictBackoff, random), signal);
    }
  }
}

/** Short, with jitter: the other writer of a Conflict is done by then, and two that met do not meet again. */
const conflictBackoff = { baseMs: 10, maxMs: 1000 };

/** Without the version that it is based on, a change would overwrite what other clients have written since. */
function withVersion<T extends KubeObject>(next: T | Draft<T>, { metadata }: T): T | Draft<T> {
  const { resourceVersion } = metadata;
  return resourceVersion === undefined ? next : { ...next, metadata: { ...next.metadata, resourceVersion } };
}

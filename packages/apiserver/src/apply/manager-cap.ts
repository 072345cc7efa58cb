import { managerKey, secondsOf } from "./managed-fields.ts";
import type { ManagedSet, Managers } from "./managed-fields.ts";

/** More updaters than this are not kept apart. */
export const maxUpdateManagers = 10;

/** Who stands for the oldest updaters. */
const ancientManager = "ancient-changes";

/** Folds the oldest updaters of each version into one, until there are no more than may be. Appliers are left alone. */
export function capUpdateManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === "Update");
  let excess = updaters.length - maxUpdateManagers;
  if (excess <= 0) return managers;
  const capped = new Map(managers);
  const oldest = new Map<string, ManagedSet>();
  for (const [, managed] of updaters.toSorted(byAge)) {
    if (excess <= 0) break;
    const first = oldest.get(managed.apiVersion);
    if (first === undefined) {
      oldest.set(managed.apiVersion, managed);
    } else {
      fold(capped, first, managed);
      excess--;
    }
  }
  return capped;
}

/** Adds an updater to what stands for the oldest of its version, which the oldest one becomes if there is none yet. */
function fold(managers: Map<string, ManagedSet>, oldest: ManagedSet, managed: ManagedSet): void {
  const ancient = { ...managed, manager: ancientManager, subresource: "" };
  const key = managerKey(ancient);
  const present = managers.get(key);
  const other = present === undefined || managed.manager === ancientManager ? oldest : present;
  for (const folded of [other, managed]) managers.delete(managerKey(folded));
  const { entry: _stale, ...rest } = ancient;
  managers.set(key, { ...rest, fields: managed.fields.union(other.fields) });
}

function byAge([leftKey, left]: readonly [string, ManagedSet], [rightKey, right]: readonly [string, ManagedSet]): number {
  return secondsOf(left) - secondsOf(right) || (leftKey < rightKey ? -1 : 1);
}

import type { KubeClient } from "@kaji/client";
import { unlessGone } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import type { Controller } from "@kaji/runtime";

/** An object, and the name of the controller that looks after it. */
export interface Reconciled {
  readonly controller: string;
  readonly key: ObjectKey;
}

/** Those whose objects are still there, as far as their controllers are known. */
export async function stillThere<R extends Reconciled>(
  all: Iterable<R>,
  client: KubeClient,
  controllers: readonly Controller[],
): Promise<readonly R[]> {
  const found: R[] = [];
  for (const each of all) {
    const resource = controllers.find(({ name }) => name === each.controller)?.resource;
    const isGone = resource !== undefined && (await unlessGone(client.get(resource, each.key))) === undefined;
    if (!isGone) found.push(each);
  }
  return found;
}

import { backoffMs, sleepUnlessAborted } from "@kaji/core";
import type { Clock, Random, Resource } from "@kaji/core";
import type { KubeClient } from "@kaji/client";

/** An object whose changes matter. */
export interface WatchedObject {
  readonly resource: Resource;
  readonly name: string;
  readonly namespace?: string;
}

/** A watch that ended is begun again after this long at first, and later and later while nothing comes of it. */
const breathMs = 1000;

/**
 * Calls back when one of the objects has changed, until it is aborted. Each is watched by its name, so that no more than those need to be
 * permitted. Changes may be missed while there is no connection, so that the caller must also poll.
 */
export async function watchObjects(client: KubeClient, objects: readonly WatchedObject[], watching: Watching): Promise<void> {
  await Promise.all(objects.map((object) => watchObject(client, object, watching)));
}

/** How objects are watched. */
export interface Watching {
  readonly clock: Clock;
  readonly random: Random;
  /** How long to wait at most before a watch is begun again. */
  readonly pauseMs: number;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

async function watchObject(client: KubeClient, { resource, name, namespace }: WatchedObject, watching: Watching): Promise<void> {
  const { clock, random, pauseMs, onChange, signal } = watching;
  const selection = { fieldSelector: `metadata.name=${name}`, ...(namespace === undefined ? {} : { namespace }) };
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      for await (const _event of client.watch(resource, { ...selection, signal })) {
        attempt = 0;
        onChange();
      }
    } catch {
      // The next look meets whatever stands in the way, and reports it.
    }
    await sleepUnlessAborted(clock, backoffMs(attempt, { baseMs: breathMs, maxMs: pauseMs }, random), signal);
  }
}

import { createClient } from "@kaji/client";
import { systemClock, systemRandom } from "@kaji/core";
import type { ObjectMeta } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { Widget } from "../informer/widget.ts";
import type { Protocol } from "./protocol.ts";

/** Mirrors the Widgets of several servers, and writes down what it is told. */
export async function sufferFaults(talk: Protocol, urls: readonly string[], signal: AbortSignal): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const running: Promise<void>[] = [];
  const synced: Promise<void>[] = [];
  for (const [index, server] of urls.entries()) {
    const client = stack.use(await createClient({ connection: { server } }));
    const informers = new Informers({
      source: client.listerWatcher,
      clock: systemClock,
      random: systemRandom,
      onFailure: () => undefined,
    });
    const { informer } = stack.use(informers.acquire(Widget));
    const told: string[] = [];
    const subscription = stack.use(
      informer.subscribe(({ type, metadata }) => {
        if (type !== "Deleted") told.push(stateOf(metadata));
      }),
    );
    talk.show(index, () => ({ told, restarts: 0, present: Array.from(informer.lister.list(), ({ metadata }) => stateOf(metadata)) }));
    running.push(informers.run(signal));
    synced.push(subscription.synced);
  }
  await Promise.all(synced);
  talk.say("synced");
  await Promise.all(running);
}

function stateOf({ name, resourceVersion }: ObjectMeta): string {
  return `${name} ${resourceVersion}`;
}

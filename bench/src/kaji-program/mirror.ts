import { createClient } from "@kaji/client";
import { systemClock, systemRandom } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { Widget } from "../informer/widget.ts";
import type { Protocol } from "./protocol.ts";

/** Keeps all Widgets in memory. */
export async function mirror(talk: Protocol, signal: AbortSignal): Promise<void> {
  await using client = await createClient();
  const informers = new Informers({ source: client.listerWatcher, clock: systemClock, random: systemRandom });
  using lease = informers.acquire(Widget);
  using subscription = lease.informer.subscribe((delta) => {
    if (delta.type === "Updated" || delta.type === "Replaced") talk.arrived(delta.key, delta.metadata.annotations);
  });
  const running = informers.run(signal);
  await Promise.race([subscription.synced, running]);
  talk.say("synced");
  await running;
}

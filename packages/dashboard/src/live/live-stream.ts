import { sleepUnlessAborted } from "@kaji/core";
import type { Clock } from "@kaji/core";
import type { KubeClient } from "@kaji/client";
import type { ClusterModel } from "../model/cluster-model.ts";
import type { LiveMessage } from "../page/live-message.ts";
import { LiveView } from "./live-view.ts";
import type { Choice } from "./live-view.ts";

/** What a stream to a page needs. */
export interface LiveStreamOptions {
  readonly model: ClusterModel;
  readonly client: KubeClient;
  readonly cluster: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What happens within this is told together. */
const gatherMs = 100;

/** All that a page shows, and then each change of it, until the signal is aborted. A page that reads slowly is told of the present, not of all that was meanwhile. */
export async function* liveStream(choice: Choice, options: LiveStreamOptions): AsyncGenerator<readonly LiveMessage[]> {
  const { model, client, cluster, clock, signal } = options;
  const view = new LiveView(model, client, choice);
  let wake = Promise.withResolvers<void>();
  using _subscription = model.subscribe((notice) => {
    if (view.note(notice)) wake.resolve();
  });
  signal.addEventListener("abort", () => wake.resolve(), { once: true });
  yield [{ type: "Hello", cluster }];
  while (!signal.aborted) {
    const messages = await view.take(signal);
    if (messages.length > 0) yield messages;
    await wake.promise;
    await sleepUnlessAborted(clock, gatherMs, signal);
    wake = Promise.withResolvers();
  }
}

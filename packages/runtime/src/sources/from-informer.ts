import { aborted } from "@kaji/core";
import type { KubeObject, ObjectKey } from "@kaji/core";
import type { DeliveredDelta, Informer, InformerState } from "@kaji/informer";
import type { Source } from "../declare/source.ts";
import { Outage } from "../log/outage.ts";
import { enqueueMapped } from "./enqueue-mapped.ts";

/** How the objects of another cluster lead to those of a controller. */
export interface InformerSourceOptions<W extends KubeObject> {
  /** In the log, and in the reports of reconciles. */
  readonly name: string;
  /** Which objects to reconcile because of a change; each object that is there counts as one when the source starts. */
  readonly toKeys: (delta: DeliveredDelta<W>) => Iterable<ObjectKey | string>;
}

const words = {
  begun: "source is not answered; will retry",
  going: "source is still not answered; will retry",
  over: "source is answered again",
};

/**
 * Asks for objects because of what happens to those that an informer mirrors, such as the objects of another cluster. It runs the informer for as long as the controller works, unless
 * somebody else runs it.
 */
export function fromInformer<W extends KubeObject>(informer: Informer<W>, { name, toKeys }: InformerSourceOptions<W>): Source<KubeObject> {
  return {
    name,
    async run({ signal, clock, log, enqueue }) {
      const outage = new Outage(clock, words);
      const tell = (state: InformerState): void => {
        if (state.type === "Failing") outage.failed(log, state.error, { source: name });
        else if (state.type === "Synced") outage.answered(log, { source: name });
      };
      using _telling = informer.onState(tell);
      using _subscription = informer.subscribe((delta) => {
        enqueueMapped({ log, enqueue }, { source: name, object: delta.key }, () => toKeys(delta));
      });
      await (informer.state.type === "Stopped" ? informer.run(signal) : aborted(signal));
    },
  };
}

import type { KubeObject, ObjectKey } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Source, SourceContext } from "../declare/source.ts";
import { enqueueMapped } from "./enqueue-mapped.ts";

/** What a stream from outside looks like to a controller. */
export interface StreamOptions<T extends KubeObject, Item> {
  readonly name: string;
  /** Opens the stream; it ends when the signal is aborted. A stream that ends by itself is opened again, with backoff. */
  readonly open: (signal: AbortSignal) => AsyncIterable<Item>;
  /** Which objects to reconcile because of an item. What it throws is logged, and the stream goes on. */
  readonly toKeys: (item: Item, objects: () => Iterable<DeepReadonly<T>>) => Iterable<ObjectKey | string>;
}

/** Asks for objects because of what comes in a stream, such as the messages of a broker. */
export function fromAsyncIterable<T extends KubeObject, Item>({ name, open, toKeys }: StreamOptions<T, Item>): Source<T> {
  return {
    name,
    async run({ signal, objects, log, enqueue }: SourceContext<T>) {
      for await (const item of open(signal)) {
        if (signal.aborted) return;
        enqueueMapped({ log, enqueue }, { source: name }, () => toKeys(item, objects));
      }
      if (!signal.aborted) throw new Error(`the stream of ${name} ended`);
    },
  };
}

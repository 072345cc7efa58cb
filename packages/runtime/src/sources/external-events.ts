import { aborted, objectKey, parseObjectKey } from "@kaji/core";
import type { KubeObject, ObjectKey } from "@kaji/core";
import type { Source } from "../declare/source.ts";

/** A channel by which a program requests reconciles, such as from a webhook of its own. */
export interface EventChannel {
  /** Enqueues an object. What is sent while no controller runs is not kept: one that starts begins with all objects. */
  send(key: ObjectKey | string): void;
  /** Is told of each key that is sent, until it is disposed of. */
  listen(listener: (key: ObjectKey) => void): Disposable;
}

/** A way to ask for objects by hand: `channel.send("default/a")`. One channel may lead to several controllers. */
export function eventChannel(): EventChannel {
  const listeners = new Set<(key: ObjectKey) => void>();
  return {
    send(text) {
      const key = objectKey(parseObjectKey(text));
      for (const listener of listeners) listener(key);
    },
    listen(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => listeners.delete(listener) };
    },
  };
}

/** Asks for the objects that are sent into a channel. */
export function externalEvents(channel: EventChannel): Source<KubeObject> {
  return {
    name: "external events",
    async run({ signal, enqueue }) {
      using _listening = channel.listen(enqueue);
      await aborted(signal);
    },
  };
}

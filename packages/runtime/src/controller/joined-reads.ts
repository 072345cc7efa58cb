import { objectKey } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Lister } from "@kaji/informer";

/** What is read of the mirrors of a kind. */
export type MirrorReads<T extends KubeObject> = Pick<Lister<T>, "by" | "get" | "keysBy" | "list">;

/** Reads several mirrors of a kind as one. An object that is in more than one of them is read from the first. */
export function joinedReads<T extends KubeObject>(mirrors: readonly MirrorReads<T>[]): MirrorReads<T> {
  return {
    get: (address) => {
      for (const mirror of mirrors) {
        const object = mirror.get(address);
        if (object !== undefined) return object;
      }
      return undefined;
    },
    keysBy: (index, value) => [...new Set(mirrors.flatMap((mirror) => mirror.keysBy(index, value)))],
    list: (query) => eachOnce(mirrors, (mirror) => mirror.list(query)),
    by: (index, value, query) => eachOnce(mirrors, (mirror) => mirror.by(index, value, query)),
  };
}

function* eachOnce<T extends KubeObject>(
  mirrors: readonly MirrorReads<T>[],
  read: (mirror: MirrorReads<T>) => Iterable<DeepReadonly<T>>,
): Generator<DeepReadonly<T>, undefined> {
  const seen = new Set<string>();
  for (const mirror of mirrors) {
    for (const object of read(mirror)) {
      const key = objectKey(object.metadata);
      if (!seen.has(key)) yield object;
      seen.add(key);
    }
  }
}

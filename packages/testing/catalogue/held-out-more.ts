import { defineController, use, watch } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { App, address, create, named, remove } from "./app.ts";
import type { Pair } from "./pair.ts";

/** What is gone cannot be taken away. */
export const goneIsAnError: Pair = {
  id: "H6",
  title: "to remove what is gone already is an error, so that an App whose finalizer was interrupted never goes",
  source: "generic",
  oracles: ["convergence", "end state"],
  options: { external: () => new Shelf(), ops: (user) => [create(user), remove(user)] },
  buggy: (shelf: Shelf) => [shelving(shelf, false)],
  fixed: (shelf: Shelf) => [shelving(shelf, true)],
};

/** Something outside that is strict. */
class Shelf {
  readonly books: string[] = [];

  async put(book: string): Promise<void> {
    if (!this.books.includes(book)) this.books.push(book);
  }

  async has(book: string): Promise<boolean> {
    return this.books.includes(book);
  }

  async take(book: string): Promise<void> {
    const at = this.books.indexOf(book);
    if (at < 0) throw new Error(`there is no ${book}`);
    this.books.splice(at, 1);
  }
}

function shelving(shelf: Shelf, looksFirst: boolean) {
  return defineController(App, {
    async reconcile({ metadata }) {
      await shelf.put(metadata.name);
    },
    async finalize({ metadata }) {
      if (!looksFirst || (await shelf.has(metadata.name))) await shelf.take(metadata.name);
    },
  });
}

/** Nobody tells it. */
export const unwatchedSource: Pair = {
  id: "J11",
  title: "a configuration that is read is not watched, and its changes are not carried over",
  source: "generic",
  oracles: ["idempotency", "path independence"],
  options: {
    ops: (user) => [
      user.create(ConfigMap, { metadata: named("config"), data: { colour: "red" } }),
      create(user),
      user.mergePatch(ConfigMap, "default/config", { data: { colour: "blue" } }),
    ],
  },
  buggy: () => [
    defineController(App, {
      owns: [Secret],
      uses: [use(ConfigMap, "get")],
      async reconcile(_app, { live, apply }) {
        const { data = {} } = (await live.get(ConfigMap, "default/config")) ?? {};
        await apply(Secret, { metadata: named("r"), stringData: data });
      },
    }),
  ],
  fixed: () => [
    defineController(App, {
      owns: [Secret],
      watches: [watch(ConfigMap, { toKeys: () => [address] })],
      async reconcile(_app, { cache, apply }) {
        const { data = {} } = cache.get(ConfigMap, "default/config") ?? {};
        await apply(Secret, { metadata: named("r"), stringData: data });
      },
    }),
  ],
};

import assert from "node:assert/strict";
import { test } from "node:test";
import { objectKey, refusal } from "@kaji/core";
import type { KubeObject, ObjectKey } from "@kaji/core";
import fc from "fast-check";
import { InformerRig } from "../testing/informer-rig.ts";
import { Widget, widget } from "../testing/widget.ts";

const names = ["a", "b", "c"];

/** What may happen, and how often. */
const frequency = {
  foreignWrite: 6,
  foreignDelete: 2,
  ownWrite: 5,
  ownDelete: 2,
  answer: 5,
  settle: 8,
  wait: 4,
  bookmark: 2,
  reset: 2,
  close: 2,
  halfOpen: 1,
  truncate: 1,
  garbage: 1,
  refuse: 1,
  accept: 3,
  compact: 2,
  toggleStreaming: 1,
  loseBookmarks: 1,
  keepBookmarks: 1,
};

/** An informer, a server on which anything happens, and a reader that never wants to see anything older than what it knows. */
class Turmoil {
  readonly rig = new InformerRig({ of: Widget, labelSelector: "app=web" });
  readonly #answers: (() => void)[] = [];
  /** What a subscriber believes to be there. */
  readonly #believed = new Map<ObjectKey, string | undefined>();
  /** Per key the newest version that was seen or written. */
  readonly #seen = new Map<ObjectKey, number>();
  #size = 0;

  constructor() {
    this.rig.informer.subscribe((delta) => {
      assert.equal(this.#believed.has(delta.key), delta.type !== "Added", `${delta.type} ${delta.key}`);
      if (delta.type === "Deleted") this.#believed.delete(delta.key);
      else this.#believed.set(delta.key, delta.object.metadata.resourceVersion);
    });
  }

  async happen(what: keyof typeof frequency, choice: number): Promise<void> {
    const { server, clock } = this.rig;
    const name = names[choice % names.length] ?? "a";
    const key = objectKey({ namespace: "shop", name });
    const happenings: Record<keyof typeof frequency, () => unknown> = {
      foreignWrite: () => this.#put(name, choice),
      foreignDelete: () => server.remove(key),
      ownWrite: () => {
        const write = choice % 2 === 0 ? this.rig.informer.beginWrite({ namespace: "shop", name }) : undefined;
        const written = this.#put(name, choice);
        this.#answers.push(() => {
          this.rig.informer.observeWrite(written, { writer: "me" });
          write?.[Symbol.dispose]();
          this.#see(key, written);
        });
      },
      ownDelete: () => {
        const seen = this.rig.informer.lister.get(key);
        const answer = server.objects.get(key)?.metadata.uid === seen?.metadata.uid ? server.remove(key) : undefined;
        if (answer !== undefined)
          this.#answers.push(() => this.rig.informer.observeDeletion({ namespace: "shop", name }, answer, { writer: "me" }));
      },
      answer: () => this.#answers.splice(choice % Math.max(1, this.#answers.length), 1)[0]?.(),
      settle: () => this.rig.settle(),
      wait: () => clock.advance(10 ** (choice % 6)),
      bookmark: () => server.bookmark(),
      reset: () => server.breakWatches(new Error("reset")),
      close: () => server.closeWatches(),
      halfOpen: () => server.forgetWatches(),
      truncate: () => {
        server.sendRaw('{"type":"ADDED","object":{"metadata":{"na');
        server.breakWatches(new Error("reset"));
      },
      garbage: () => server.sendRaw("<html>bad gateway</html>\n"),
      refuse: () => {
        const reasons = ["InternalError", "ServiceUnavailable", "TooManyRequests", "Unauthorized", "Forbidden", "NotFound"] as const;
        const error = refusal(reasons[choice % reasons.length] ?? "", "no", { retryAfterSeconds: choice % 4 });
        server.intercept = () => ({ type: "Refuse", error });
      },
      accept: () => (server.intercept = () => undefined),
      compact: () => server.compact(),
      toggleStreaming: () => (server.streams = !server.streams),
      loseBookmarks: () => (server.filter = (frame, type) => (type === "BOOKMARK" ? undefined : frame)),
      keepBookmarks: () => (server.filter = (frame) => frame),
    };
    await happenings[what]();
    this.#check();
  }

  async end(): Promise<void> {
    const { server, clock, informer } = this.rig;
    for (const answer of this.#answers.splice(0)) answer();
    server.intercept = () => undefined;
    server.filter = (frame) => frame;
    await clock.advance(2_000_000);
    server.bookmark();
    await this.rig.settle();
    this.#check();
    const expected = [...server.objects.values()].filter(({ metadata }) => metadata.labels?.["app"] === "web");
    assert.deepEqual(sorted(informer.lister.list()), sorted(expected));
    assert.deepEqual(
      [informer.state, informer.stats.pendingWrites, this.rig.failures.filter(({ type }) => type === "Subscriber")],
      [{ type: "Synced" }, 0, []],
    );
    assert.deepEqual(
      this.#believed,
      new Map(Array.from(informer.lister.list(), ({ metadata }) => [objectKey(metadata), metadata.resourceVersion])),
    );
    await this.rig[Symbol.asyncDispose]();
  }

  #put(name: string, choice: number): KubeObject {
    const labels = choice % 4 === 0 ? {} : { app: "web" };
    return this.rig.server.put(widget(name, { size: ++this.#size }, { labels }));
  }

  #check(): void {
    for (const object of this.rig.informer.lister.list()) this.#see(objectKey(object.metadata), object);
  }

  #see(key: ObjectKey, { metadata }: Pick<KubeObject, "metadata">): void {
    const version = Number(metadata.resourceVersion);
    const visible = Number(this.rig.informer.lister.get(key)?.metadata.resourceVersion ?? Infinity);
    const seen = Math.max(version, this.#seen.get(key) ?? 0);
    assert.ok(visible >= seen, `${key} shows ${visible} after ${seen}`);
    this.#seen.set(key, seen);
  }
}

test("[RYW1] [REF5] [REF6] whatever happens to connections, history and answers, readers never go back, and end where the server is", async () => {
  const what = fc.oneof(
    ...(Object.keys(frequency) as (keyof typeof frequency)[]).map((name) => ({ weight: frequency[name], arbitrary: fc.constant(name) })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(what, fc.nat(50)), { maxLength: 60, size: "max" }), async (happenings) => {
      const turmoil = new Turmoil();
      for (const [next, choice] of happenings) await turmoil.happen(next, choice);
      await turmoil.end();
    }),
    { numRuns: Number(process.env["RUNS"] ?? 100) },
  );
});

function sorted(objects: Iterable<unknown>): unknown[] {
  return Array.from(objects, (object) => JSON.stringify(object))
    .sort()
    .map((text) => JSON.parse(text) as unknown);
}

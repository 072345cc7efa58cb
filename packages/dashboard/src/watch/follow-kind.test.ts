import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import type { Transport, TransportRequest } from "@kaji/core";
import { bodyFromBytes, refusal, sleepUnlessAborted } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Thing } from "../testing/seen-objects.ts";
import { followKind } from "./follow-kind.ts";
import type { KindNews } from "./follow-kind.ts";

const item = (name: string, resourceVersion: string): object => ({ metadata: { name, namespace: "default", resourceVersion } });
const list = (resourceVersion: string, items: readonly object[], more: object = {}): object => ({
  kind: "ThingList",
  metadata: { resourceVersion, ...more },
  items,
});
const event = (type: string, object: object): string => JSON.stringify({ type, object });

/** A server that gives these answers one after the other, and after the last one none: texts are watches, objects are lists or refusals, an Error is no answer. */
class Script {
  readonly paths: string[] = [];
  readonly #answers: readonly (object | string)[];
  readonly #over = new AbortController();

  constructor(...answers: readonly (object | string)[]) {
    this.#answers = answers;
  }

  readonly #transport: Transport = async ({ path, signal }: TransportRequest) => {
    const answer = this.#answers[this.paths.length];
    this.paths.push(decodeURIComponent(path.replace(/^[^?]*\?/, "")));
    if (answer === undefined) this.#over.abort();
    signal?.throwIfAborted();
    if (answer instanceof Error) throw answer;
    const status = typeof answer === "object" && "code" in answer ? Number(answer.code) : 200;
    const body = typeof answer === "string" ? `${answer}\n` : JSON.stringify(answer);
    return { status, headers: {}, body: bodyFromBytes(Buffer.from(body)) };
  };

  /** All that is told until there are no more answers. */
  async told(objects = 10): Promise<readonly string[]> {
    const clock = new ManualClock();
    const client = new KubeClient(this.#transport, { clock, retries: 0 });
    const told: string[] = [];
    const over = (async () => {
      const options = {
        client,
        clock,
        random: seededRandom(1),
        objects,
        turn: <T>(work: () => Promise<T>) => work(),
        pause: (delayMs: number) => sleepUnlessAborted(clock, delayMs, this.#over.signal),
        signal: this.#over.signal,
      };
      for await (const news of followKind(Thing, options)) told.push(line(news));
    })();
    while (!this.#over.signal.aborted) await clock.advance(1000);
    await over;
    return told;
  }
}

function line(news: KindNews): string {
  if (news.type === "Failed") return `failed: ${news.error instanceof Error ? news.error.message.replace(/ \(.*/, "") : ""}`;
  if (news.type === "Page") return `page ${news.page.seen.map(({ object }) => object.metadata.name).join()}${news.isLast ? "." : ""}`;
  return news.event.type === "BOOKMARK" ? "bookmark" : `${news.event.type} ${news.event.seen.object.metadata.name}`;
}

test("lists page by page, and watches from there; a watch that ends goes on where it was", async () => {
  const script = new Script(
    list("5", [item("a", "1")], { continue: "next" }),
    list("5", [item("b", "2")]),
    [event("ADDED", item("c", "6")), event("BOOKMARK", item("", "8"))].join("\n"),
    event("DELETED", item("c", "9")),
  );
  assert.deepEqual(await script.told(), ["page a", "page b.", "ADDED c", "bookmark", "DELETED c"]);
  assert.deepEqual(
    script.paths.map((path) => /continue=\w+|resourceVersion=\d+/.exec(path)?.[0]),
    [undefined, "continue=next", "resourceVersion=5", "resourceVersion=8", "resourceVersion=9"],
  );
});

test("begins anew when the server has lost track, which is nothing to complain of", async () => {
  const expired = refusal("Expired", "too old").status;
  const script = new Script(list("5", []), event("ERROR", { ...expired, kind: "Status" }), list("9", [item("a", "7")]));
  assert.deepEqual(await script.told(), ["page .", "page a."]);
});

test("[DB14] lists again when a connection breaks, and tells of it when there is no other to be had", async () => {
  const [page, broken] = [list("5", [item("a", "1")]), new Error("reset")];
  assert.deepEqual(await new Script(page, broken, page, event("ADDED", item("b", "6"))).told(), ["page a.", "page a.", "ADDED b"]);
  assert.deepEqual(await new Script(page, broken, broken, page).told(), ["page a.", "failed: reset", "page a."]);
});

test("lists again when the columns are others", async () => {
  const table = (name: string): object => ({
    kind: "Table",
    metadata: { resourceVersion: "5" },
    columnDefinitions: [{ name, priority: 0 }],
    rows: [{ cells: [name], object: item("a", "4") }],
  });
  const script = new Script(table("Old"), event("MODIFIED", table("New")), table("New"), event("MODIFIED", table("New")));
  assert.deepEqual(await script.told(), ["page a.", "page a.", "MODIFIED a"]);
});

test("[DB14] says what is wrong, and tries again", async () => {
  const forbidden = { kind: "Status", code: 403, reason: "Forbidden", message: "no" };
  assert.deepEqual(await new Script(forbidden, forbidden, list("5", [item("a", "1")])).told(), ["failed: no", "failed: no", "page a."]);
});

test("[DB4] says of an answer that is none how long it is, and nothing that is in it", async () => {
  const [page, broken] = [list("5", []), '{"type":"ADDED","object":{"data":"hunter2'];
  const told = await new Script(page, broken, page, broken).told();
  assert.deepEqual(told, ["page .", "page .", "failed: malformed watch event of 41 bytes"]);
});

test("[DB8] asks for no more objects than are kept", async () => {
  const script = new Script(list("5", [item("a", "1"), item("b", "1")], { continue: "next", remainingItemCount: 9 }));
  assert.deepEqual(await script.told(2), ["page a,b."]);
  assert.match(script.paths[0] ?? "", /limit=2/);
});

import assert from "node:assert/strict";
import { parseObjectKey } from "@kaji/core";
import type { KubeObject, ObjectKey } from "@kaji/core";
import type { Delta } from "../delivery/delta.ts";
import { IncomingObject } from "../wire/incoming-object.ts";
import { Indexer } from "../store/indexer.ts";
import { MirrorPartition } from "../store/mirror-partition.ts";
import { Mirror } from "../store/mirror.ts";
import type { State } from "../store/mirror.ts";
import { plainParse } from "./plain-parse.ts";

/** One state of one object on the server: there and in the selector, there and not in it, or not there. */
interface ServerState {
  readonly type: "Visible" | "Invisible" | "Absent";
  readonly version: number;
  readonly uid: string;
}

/** An answer that is on its way: what the object was after the own write. */
interface Answer {
  readonly key: ObjectKey;
  readonly state: ServerState;
}

/** What a test chooses. */
interface Choice {
  readonly key: ObjectKey;
  readonly matches: boolean;
  readonly choice: number;
}

/**
 * A server, a mirror and a reader, in which anything happens in any order that a network allows, and after each step the reader checks what it sees.
 *
 * The model is a list of states per key. The reader remembers the latest of them that it has seen or written; what it sees must never be before that.
 */
export class MirrorHistory {
  readonly #incoming = new IncomingObject({ type: { group: "", version: "v1", kind: "Widget" } });
  readonly #indexer = new Indexer<KubeObject>(this.#incoming, plainParse(), () => assert.fail());
  readonly #deltas: Delta<State<KubeObject>>[] = [];
  readonly #mirror = new Mirror<KubeObject>(this.#incoming, this.#indexer, (...deltas) => void this.#deltas.push(...deltas));
  readonly #partition = new MirrorPartition<KubeObject>({
    mirror: this.#mirror,
    incoming: this.#incoming,
    namespace: undefined,
    admit: () => true,
    onSynced: () => undefined,
  });

  /** Per key every state so far, the first one being that there was nothing. */
  readonly #states = new Map<ObjectKey, ServerState[]>();
  /** Every change, in order. */
  readonly #log: { readonly key: ObjectKey; readonly before: ServerState; readonly after: ServerState }[] = [];
  readonly #answers: Answer[] = [];
  /** Versions of own writes, and of those of them whose answer has come. */
  readonly #own = new Set<number>();
  readonly #answered = new Set<number>();
  #version = 10;
  /** Everything up to this version has been delivered; undefined when only a list can help. */
  #position: number | undefined;
  #list: { readonly version: number; readonly items: [ObjectKey, ServerState][] } | undefined;
  /** Per key the index of the latest state that the reader has seen or written. */
  readonly #seen = new Map<ObjectKey, number>();
  /** Objects whose deletion was answered. */
  readonly #dead = new Set<string>();
  /** What the subscriber was told: the version of each object. */
  readonly #told = new Map<ObjectKey, string>();

  foreignWrite({ key, matches }: Choice): void {
    this.#change(key, matches ? "Visible" : "Invisible");
  }

  foreignDelete({ key }: Choice): void {
    if (this.#last(key).type !== "Absent") this.#change(key, "Absent");
  }

  ownWrite({ key, matches }: Choice): void {
    const state = this.#change(key, matches ? "Visible" : "Invisible");
    this.#own.add(state.version);
    this.#answers.push({ key, state });
  }

  ownDelete({ key }: Choice): void {
    if (this.#last(key).type === "Absent") return;
    const state = this.#change(key, "Absent");
    this.#own.add(state.version);
    this.#answers.push({ key, state });
  }

  /** Any answer comes next, in whatever order they were given. */
  answer({ choice }: Pick<Choice, "choice">): void {
    const [answer] = this.#answers.splice(choice % Math.max(1, this.#answers.length), 1);
    if (answer === undefined) return;
    const { key, state } = answer;
    this.#answered.add(state.version);
    // A client that deletes an object which this mirror has never seen tells nothing of its name but that this object does not have it.
    const isKnown = this.#history(key).findIndex(({ uid }) => uid === state.uid) <= (this.#seen.get(key) ?? 0);
    if (state.type === "Absent") {
      this.#mirror.deleted(key, state.uid, "me");
      this.#dead.add(state.uid);
    } else {
      this.#show(key, state);
      this.#mirror.written(key, { writer: "me", matches: state.type === "Visible", progress: this.#partition.progressOf(key) });
    }
    if (isKnown || state.type !== "Absent") this.#seen.set(key, Math.max(this.#seen.get(key) ?? 0, this.#history(key).indexOf(state)));
    this.#check();
  }

  /** The watch delivers what happened next, as far as it is of interest to it. */
  event(): void {
    const position = this.#position;
    const next = position === undefined ? undefined : this.#log.find(({ after }) => after.version > position);
    if (next === undefined) return;
    this.#position = next.after.version;
    const [was, is] = [next.before.type === "Visible", next.after.type === "Visible"];
    if (!was && !is) return;
    const wasSeen = this.#indexer.has(next.key);
    this.#show(next.key, next.after);
    this.#partition.changed(is ? (was ? "MODIFIED" : "ADDED") : "DELETED", String(next.after.version));
    this.#checkTold(next.key, next.after, wasSeen || this.#indexer.has(next.key));
    this.#check();
  }

  bookmark(): void {
    const position = this.#position;
    if (position === undefined) return;
    const next = this.#log.find(({ after }) => after.version > position);
    this.#position = next === undefined ? this.#version : next.after.version - 1;
    this.#partition.progressed(String(this.#position));
    this.#check();
  }

  /** A whole list at once. */
  list(): void {
    this.startList();
    this.endList();
  }

  startList(): void {
    const states = [...this.#states].map(([key, history]): [ObjectKey, ServerState] => [key, history.at(-1) ?? absent]);
    this.#list = { version: this.#version, items: states.filter(([, { type }]) => type === "Visible") };
    this.#position = undefined;
    this.#partition.listStarted();
  }

  listItem(): void {
    const item = this.#list?.items.shift();
    if (item === undefined) return;
    this.#show(...item);
    this.#partition.listed();
    this.#check();
  }

  /** What happens after the state that a streaming list shows may come before its end. */
  listEvent(): void {
    const list = this.#list;
    const next = list?.items.length === 0 ? this.#log.find(({ after }) => after.version > list.version) : undefined;
    if (next === undefined) return;
    this.#list = { version: next.after.version, items: [] };
    this.#show(next.key, next.after);
    if (next.after.type === "Visible") this.#partition.listed();
    else if (next.before.type === "Visible") this.#partition.changed("DELETED", String(next.after.version));
    this.#check();
  }

  endList(): void {
    if (this.#list === undefined) return;
    while (this.#list.items.length > 0) this.listItem();
    this.#position = this.#list.version;
    this.#partition.listEnded(String(this.#list.version));
    this.#list = undefined;
    this.#check();
  }

  abandonList(): void {
    this.#list = undefined;
  }

  /** Lets everything arrive that is under way, and compares with the server. */
  settle(): void {
    if (this.#position === undefined) this.startList();
    this.endList();
    while (this.#answers.length > 0) this.answer({ choice: 0 });
    while (this.#log.some(({ after }) => after.version > (this.#position ?? 0))) this.event();
    this.bookmark();
    for (const [key, history] of this.#states) {
      const { type, version } = history.at(-1) ?? absent;
      assert.equal(this.#indexer.state(key)?.resourceVersion, type === "Visible" ? String(version) : undefined, `${key} in the end`);
    }
    assert.equal(this.#mirror.pendingWrites, 0);
  }

  #change(key: ObjectKey, type: ServerState["type"]): ServerState {
    const before = this.#last(key);
    const version = ++this.#version;
    const uid = before.type === "Absent" ? `${key}-${version}` : before.uid;
    const after = { type, version, uid };
    this.#states.set(key, [...this.#history(key), after]);
    this.#log.push({ key, before, after });
    return after;
  }

  #history(key: ObjectKey): readonly ServerState[] {
    return this.#states.get(key) ?? [absent];
  }

  #last(key: ObjectKey): ServerState {
    return this.#history(key).at(-1) ?? absent;
  }

  #show(key: ObjectKey, { uid, version }: ServerState): void {
    const metadata = { ...parseObjectKey(key), uid, resourceVersion: String(version) };
    this.#incoming.scanner.scan(Buffer.from(JSON.stringify({ metadata })), 0);
  }

  /** What the reader sees now must not be before what it has seen or written. */
  #check(): void {
    for (const key of this.#states.keys()) {
      const visible = this.#indexer.state(key)?.resourceVersion;
      assert.ok(!this.#dead.has(this.#indexer.state(key)?.uid ?? ""), `${key} shows what was deleted`);
      const seen = this.#seen.get(key) ?? 0;
      const isSame = ({ type, version }: ServerState): boolean =>
        visible === undefined ? type !== "Visible" : type === "Visible" && String(version) === visible;
      const index = this.#history(key).findIndex((state, at) => at >= seen && isSame(state));
      assert.ok(index >= 0, `${key} shows ${visible}, which is before ${this.#history(key)[seen]?.version}`);
      this.#seen.set(key, index);
    }
    this.#hear();
  }

  /** What subscribers are told must make sense, and end in what readers see. */
  #hear(): void {
    for (const delta of this.#deltas.splice(0)) {
      assert.equal(this.#told.has(delta.key), delta.type !== "Added", `${delta.type} of ${delta.key}`);
      if (delta.type === "Deleted") this.#told.delete(delta.key);
      else this.#told.set(delta.key, delta.object.resourceVersion);
    }
    const visible = this.#indexer.states().map(([key, state]) => [key, state.resourceVersion] as const);
    assert.deepEqual(new Map(this.#told), new Map(visible));
  }

  /** An echo of an own write says nothing; another client's change is told without a writer, even if readers saw something newer before. */
  #checkTold(key: ObjectKey, { version, uid }: ServerState, isVisible: boolean): void {
    const told = this.#deltas.filter((delta) => delta.key === key);
    if (this.#answered.has(version)) assert.deepEqual(told, [], `the echo of ${version}`);
    else if (isVisible && !this.#own.has(version) && !this.#dead.has(uid))
      assert.ok(
        told.some(({ writer }) => writer === undefined),
        `the change to ${version}`,
      );
  }
}

const absent: ServerState = { type: "Absent", version: 0, uid: "" };

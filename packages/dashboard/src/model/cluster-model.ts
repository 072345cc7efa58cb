import type { Clock, DynamicObject, Resource } from "@kaji/core";
import type { KindSummary, ObjectName } from "../page/live-message.ts";
import { changeOf } from "./change-of.ts";
import type { Versions } from "./change-of.ts";
import { EventBook } from "./event-book.ts";
import { History } from "./history.ts";
import type { RecordedChange } from "./history.ts";
import { KindTable, entryOf } from "./kind-table.ts";
import type { Entry, SeenObject } from "./kind-table.ts";
import type { Limits } from "./limits.ts";
import { withReconcileFailure } from "./reconcile-failure.ts";
import { VersionTexts } from "./version-texts.ts";

/** What has changed in a model. */
export type Notice =
  | { readonly type: "Kinds" }
  | { readonly type: "Table"; readonly kindId: string }
  | { readonly type: "Row"; readonly entry: Entry }
  | { readonly type: "Event"; readonly about: string }
  | { readonly type: "Change"; readonly record: RecordedChange };

/** What a list has told besides its objects. */
export interface ListEnd {
  /** The keys of all that are there. */
  readonly present: ReadonlySet<string>;
  /** How many there are beside them. */
  readonly hidden: number;
  readonly columns: readonly string[];
}

/** Kinds whose objects change all the time without anybody's doing. */
const restless: ReadonlySet<string> = new Set(["events", "leases.coordination.k8s.io"]);

/** What is known of a cluster: its kinds, their objects, who owns whom, and what has happened since it is looked at. Within its limits, whatever is put into it. */
export class ClusterModel {
  readonly limits: Limits;
  readonly history: History;
  readonly events: EventBook;
  /** Why the cluster cannot be asked for its kinds now. */
  problem: string | undefined;
  /** Whether the cluster has said which kinds it has. */
  isDiscovered = false;
  readonly #clock: Pick<Clock, "now">;
  readonly #kinds = new Map<string, KindTable>();
  /** By uid: all entries of all kinds. */
  readonly #entries = new Map<string, Entry>();
  /** The uids of what an object owns, by its uid. Only of what is in `#entries`. */
  readonly #children = new Map<string, Set<string>>();
  readonly #versions: VersionTexts;
  readonly #listeners = new Set<(notice: Notice) => void>();
  /** The uids of entries whose reconciles fail. */
  readonly #failing = new Set<string>();
  #changes = 0;

  constructor(limits: Limits, clock: Pick<Clock, "now">) {
    this.limits = limits;
    this.#clock = clock;
    this.history = new History(limits);
    this.events = new EventBook(limits.events);
    this.#versions = new VersionTexts(limits.versionBytes);
  }

  /** Calls back at every change, until it is disposed of. */
  subscribe(listener: (notice: Notice) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  /** The kinds of which there is something to say, custom ones first. */
  summaries(): readonly KindSummary[] {
    const all = [...this.#kinds.values()]
      .map((kind) => kind.summary())
      .filter(({ count, problem, isCustom }) => count > 0 || isCustom || problem !== undefined);
    return all.sort((left, right) => Number(right.isCustom) - Number(left.isCustom) || left.kind.localeCompare(right.kind));
  }

  kind(id: string): KindTable | undefined {
    return this.#kinds.get(id);
  }

  /** Whether it is known what there is of a kind, or that there is no such kind. */
  knows(id: string): boolean {
    const kind = this.#kinds.get(id);
    return kind === undefined ? this.isDiscovered : kind.isListed || kind.problem !== undefined;
  }

  entry(uid: string): Entry | undefined {
    return this.#entries.get(uid);
  }

  childrenOf(uid: string): readonly Entry[] {
    return [...(this.#children.get(uid) ?? [])].flatMap((child) => this.#entries.get(child) ?? []);
  }

  /** The last version of an object, if it was kept. */
  versionOf(uid: string): DynamicObject | undefined {
    return this.#versions.get(uid);
  }

  nameOf({ kindId, row }: Entry): ObjectName {
    return { kindId, kind: this.#kinds.get(kindId)?.resource.kind ?? kindId, namespace: row.namespace, name: row.name };
  }

  /** The kind of an object that is only referred to. */
  kindOf(reference: { readonly apiVersion: string; readonly kind: string }): KindTable | undefined {
    const group = reference.apiVersion.includes("/") ? reference.apiVersion.split("/", 1)[0] : "";
    return this.#kinds.values().find(({ resource }) => resource.kind === reference.kind && resource.group === group);
  }

  /** Whether an object is another, or belongs to it, or did when it was last seen. */
  isBelow(uid: string, ancestor: string): boolean {
    const met = new Set([uid]);
    for (const each of met) {
      if (each === ancestor) return true;
      const owners = this.#entries.get(each)?.owners.map((owner) => owner.uid) ?? this.history.ownersOf(each);
      if (met.size < this.limits.changes) owners.forEach((owner) => met.add(owner));
    }
    return false;
  }

  addKind(resource: Resource<DynamicObject>, isCustom: boolean): KindTable {
    const kind = new KindTable(resource, isCustom);
    this.#kinds.set(kind.id, kind);
    this.#tell({ type: "Kinds" });
    return kind;
  }

  /** Forgets a kind that the cluster has no more, and its objects. */
  removeKind(id: string): void {
    const kind = this.#kinds.get(id);
    if (kind === undefined) return;
    this.#kinds.delete(id);
    for (const entry of kind.entries.values()) this.#unlink(entry);
    this.#tell({ type: "Kinds" });
    this.#tell({ type: "Table", kindId: id });
  }

  setProblem(kind: KindTable | undefined, problem: string | undefined): void {
    const place = kind ?? this;
    if (place.problem === problem) return;
    place.problem = problem;
    this.#tell({ type: "Kinds" });
    if (kind !== undefined) this.#tell({ type: "Table", kindId: kind.id });
  }

  /** All kinds have been told. */
  endDiscovery(): void {
    this.isDiscovered = true;
    this.setProblem(undefined, undefined);
    for (const uid of [...this.#failing]) this.#judgeAgain(uid);
    this.#tell({ type: "Kinds" });
  }

  /** All objects have been told: those that are not among them are gone. */
  endList(kind: KindTable, { present, hidden, columns }: ListEnd): void {
    for (const entry of [...kind.entries.values()]) if (!present.has(entry.row.key)) this.#remove(kind, entry);
    kind.hidden = hidden;
    kind.columns = columns;
    kind.isListed = true;
    this.#tell({ type: "Kinds" });
    this.#tell({ type: "Table", kindId: kind.id });
  }

  /** An object is as it was seen. */
  put(kind: KindTable, seen: SeenObject): void {
    const entry = this.#judged(entryOf(kind.id, seen));
    const known = kind.entries.get(entry.row.key);
    // A page may show one that is not kept.
    if (known === undefined && kind.entries.size >= this.limits.objectsPerKind) return this.#tell({ type: "Row", entry });
    // One of the same name that has another uid is another object.
    if (known !== undefined && known.uid !== entry.uid) this.#remove(kind, known);
    const before = known?.uid === entry.uid ? known : undefined;
    kind.entries.set(entry.row.key, entry);
    this.#link(entry, before);
    if (kind.id === "events") this.#hear(this.events.put(entry.uid, seen.object));
    if (!restless.has(kind.id)) this.#keep(kind, { entry, before, object: seen.object });
    this.#tell({ type: "Row", entry });
  }

  /** An object is gone. */
  remove(kind: KindTable, seen: SeenObject): void {
    const gone = entryOf(kind.id, seen);
    const entry = kind.entries.get(gone.row.key);
    if (entry?.uid === gone.uid) this.#remove(kind, entry);
    else this.#tell({ type: "Row", entry: gone });
  }

  /** How many objects there are beyond those that are kept. */
  hide(kind: KindTable, more: number): void {
    kind.hidden = Math.max(0, kind.hidden + more);
    this.#tell({ type: "Kinds" });
  }

  /** An Event about an object was told. */
  #hear(about: string): void {
    this.#judgeAgain(about);
    this.#tell({ type: "Event", about });
  }

  /** The entry with the state of the object, as it and the Events about it say. */
  #judged(entry: Entry): Entry {
    return withReconcileFailure(entry, this.events.of(entry.uid), this.#clock.now());
  }

  /** Whether reconciles of an object fail follows from its Events, and from the time. */
  #judgeAgain(uid: string): void {
    const before = this.#entries.get(uid);
    if (before === undefined) return;
    const entry = this.#judged(before);
    if (entry === before) return;
    this.#kinds.get(entry.kindId)?.entries.set(entry.row.key, entry);
    this.#link(entry, before);
    this.#tell({ type: "Row", entry });
  }

  /** Keeps the version, and what led to it if it is not the first that is seen. */
  #keep(
    kind: KindTable,
    { entry, before, object }: { readonly entry: Entry; readonly before: Entry | undefined; readonly object: DynamicObject },
  ): void {
    const isSame = before?.resourceVersion === entry.resourceVersion;
    const isFirst = before === undefined && !kind.isListed;
    if (!isSame && !isFirst) {
      const version = before === undefined ? undefined : (this.#versions.get(entry.uid) ?? "Forgotten");
      this.#record(entry, { before: version, after: object });
    }
    if (!isSame) this.#versions.set(entry.uid, object);
  }

  #remove(kind: KindTable, entry: Entry): void {
    kind.entries.delete(entry.row.key);
    if (!restless.has(kind.id)) this.#record(entry, { before: this.#versions.get(entry.uid) ?? "Forgotten", after: undefined });
    this.#unlink(entry);
    this.#tell({ type: "Row", entry });
  }

  #record(entry: Entry, versions: Versions): void {
    const change = { id: ++this.#changes, atMs: this.#clock.now(), object: this.nameOf(entry), ...changeOf(versions, this.limits) };
    const record = { change, uid: entry.uid, owners: entry.owners.map((owner) => owner.uid) };
    this.history.add(record);
    this.#tell({ type: "Change", record });
  }

  #link(entry: Entry, before: Entry | undefined): void {
    for (const { uid } of before?.owners ?? []) this.#orphan(uid, entry.uid);
    this.#entries.set(entry.uid, entry);
    if (entry.row.state === entry.own.state) this.#failing.delete(entry.uid);
    else this.#failing.add(entry.uid);
    for (const { uid } of entry.owners) this.#children.set(uid, (this.#children.get(uid) ?? new Set()).add(entry.uid));
  }

  #unlink({ uid, owners }: Entry): void {
    this.#entries.delete(uid);
    this.#versions.delete(uid);
    this.#failing.delete(uid);
    this.events.remove(uid);
    for (const owner of owners) this.#orphan(owner.uid, uid);
  }

  #orphan(owner: string, child: string): void {
    const children = this.#children.get(owner);
    children?.delete(child);
    if (children?.size === 0) this.#children.delete(owner);
  }

  #tell(notice: Notice): void {
    for (const listener of this.#listeners) listener(notice);
  }
}

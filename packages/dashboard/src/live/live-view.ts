import type { DynamicObject } from "@kaji/core";
import type { KubeClient } from "@kaji/client";
import type { ClusterModel, Notice } from "../model/cluster-model.ts";
import { entryOf } from "../model/kind-table.ts";
import type { KindTable } from "../model/kind-table.ts";
import { maskSecret } from "../model/mask-secret.ts";
import { treeOf } from "../model/object-tree.ts";
import type { LiveMessage, ObjectDetail } from "../page/live-message.ts";
import { keyPath } from "./key-path.ts";
import { detailOf } from "./object-detail.ts";

/** What one page shows: nothing but the kinds and what changes, the objects of a kind, or one of them. */
export interface Choice {
  readonly kind: string | undefined;
  /** The key of an object of the kind. */
  readonly object: string | undefined;
}

/** What one page has been told, and what it is yet to be told: no more than marks, however much happens between two looks. */
export class LiveView {
  readonly #model: ClusterModel;
  readonly #client: KubeClient;
  readonly #choice: Choice;
  #kindsDue = true;
  #tableDue = true;
  #objectDue = true;
  #changesDue = true;
  /** Keys of rows that are to be told. */
  readonly #rowsDue = new Set<string>();
  /** The object that is shown, and all it is shown with. */
  #uid: string | undefined;
  #shownUids: ReadonlySet<string> = new Set();
  #detail: ObjectDetail | undefined;
  /** The ids of changes that were told, of those that are still known; undefined before the first time, when it is told that there are none too. */
  #told: Set<number> | undefined;
  /** The last message of each type, for those that are told as a whole. */
  readonly #last = new Map<string, string>();

  constructor(model: ClusterModel, client: KubeClient, choice: Choice) {
    this.#model = model;
    this.#client = client;
    this.#choice = choice;
  }

  /** Notes that something has changed, and returns whether the page is to be told. */
  note(notice: Notice): boolean {
    const { kind, object } = this.#choice;
    switch (notice.type) {
      case "Kinds":
        return (this.#kindsDue = true);
      case "Table":
        if (notice.kindId === kind) this.#tableDue = this.#objectDue = true;
        return notice.kindId === kind;
      case "Row": {
        const { entry } = notice;
        const isRelated = [entry.uid, ...entry.owners.map(({ uid }) => uid)].some((uid) => this.#shownUids.has(uid));
        const isChosen = entry.kindId === kind && entry.row.key === object;
        if (isRelated || isChosen) this.#objectDue = true;
        if (entry.kindId === kind) this.#rowsDue.add(entry.row.key);
        return (this.#kindsDue = true);
      }
      case "Event":
        if (!this.#shownUids.has(notice.about)) return false;
        return (this.#objectDue = true);
      case "Change":
        return (this.#changesDue = true);
    }
  }

  /** What is due; the signal ends the waiting for what has to be asked for. */
  async take(signal: AbortSignal): Promise<readonly LiveMessage[]> {
    const messages: LiveMessage[] = [];
    if (this.#kindsDue) messages.push(...this.#whole(this.#kinds()));
    const { kind, object } = this.#choice;
    // What is not known yet is not said to be missing.
    if (kind !== undefined && this.#model.knows(kind)) {
      messages.push(...this.#table());
      if (this.#objectDue && object !== undefined) messages.push(...this.#whole(await this.#object(signal)));
    }
    if (this.#changesDue) messages.push(...this.#changes());
    return messages;
  }

  #kinds(): LiveMessage {
    this.#kindsDue = false;
    return { type: "Kinds", kinds: this.#model.summaries(), problem: this.#model.problem };
  }

  #table(): readonly LiveMessage[] {
    const kind = this.#kind();
    if (!this.#tableDue && this.#rowsDue.size === 0) return [];
    const [isWhole, keys] = [this.#tableDue, [...this.#rowsDue]];
    this.#tableDue = false;
    this.#rowsDue.clear();
    if (kind === undefined) return [{ type: "Table", table: undefined, rows: [] }];
    if (isWhole) return [wholeTable(kind)];
    const removed = keys.filter((key) => !kind.entries.has(key));
    return [{ type: "Rows", changed: keys.flatMap((key) => kind.entries.get(key)?.row ?? []), removed, hidden: kind.hidden }];
  }

  async #object(signal: AbortSignal): Promise<LiveMessage> {
    this.#objectDue = false;
    const kind = this.#kind();
    const object = kind && (await this.#present(kind, signal));
    if (kind === undefined || object === undefined) return { type: "Object", object: this.#deleted() };
    const entry = kind.entries.get(this.#choice.object ?? "") ?? entryOf(kind.id, { object, cells: [] });
    if (this.#uid !== entry.uid) this.#changesDue = true;
    this.#uid = entry.uid;
    const tree = treeOf(this.#model, entry);
    this.#shownUids = tree.uids;
    this.#detail = detailOf(this.#model, { entry, object, tree });
    return { type: "Object", object: this.#detail };
  }

  /** The object as it is: as it was last seen, if that was kept, or as the cluster has it, if there are more than are kept. */
  async #present(kind: KindTable, signal: AbortSignal): Promise<DynamicObject | undefined> {
    const entry = kind.entries.get(this.#choice.object ?? "");
    if (entry === undefined && kind.hidden === 0) return undefined;
    return (entry && this.#model.versionOf(entry.uid)) ?? this.#read(kind, signal);
  }

  /** An object that is gone is shown as it was last. */
  #deleted(): ObjectDetail | undefined {
    return this.#detail && { ...this.#detail, state: "Quiet", why: "is deleted", tree: undefined };
  }

  /** It may be gone by now. */
  async #read({ resource }: KindTable, signal: AbortSignal): Promise<DynamicObject | undefined> {
    const path = keyPath(resource, this.#choice.object ?? "");
    if (path === undefined) return undefined;
    const object = await this.#client.api.json<DynamicObject>({ method: "GET", path, signal }).catch(() => undefined);
    return object !== undefined && resource.group === "" && resource.kind === "Secret" ? maskSecret(object) : object;
  }

  /** Those that were not told, also of objects of which it is known only now where they belong. */
  #changes(): readonly LiveMessage[] {
    this.#changesDue = false;
    const { kind, object } = this.#choice;
    const [before, told] = [this.#told ?? new Set(), new Set<number>()];
    const isFirst = this.#told === undefined;
    const changes = [...this.#model.history].flatMap(({ change, uid }) => {
      if (before.has(change.id)) told.add(change.id);
      if (before.has(change.id) || (kind !== undefined && object === undefined && change.object.kindId !== kind)) return [];
      if (object !== undefined && (this.#uid === undefined || !this.#model.isBelow(uid, this.#uid))) return [];
      told.add(change.id);
      return [change];
    });
    this.#told = told;
    return changes.length === 0 && !isFirst ? [] : [{ type: "Changes", changes }];
  }

  #kind(): KindTable | undefined {
    return this.#model.kind(this.#choice.kind ?? "");
  }

  /** A message that tells all, unless the page was told just that. */
  #whole(message: LiveMessage): readonly LiveMessage[] {
    const text = JSON.stringify(message);
    if (this.#last.get(message.type) === text) return [];
    this.#last.set(message.type, text);
    return [message];
  }
}

function wholeTable({ resource, columns, entries, hidden, problem }: KindTable): LiveMessage {
  const head = { kind: resource.kind, isNamespaced: resource.scope === "Namespaced", columns, hidden, problem };
  return { type: "Table", table: head, rows: [...entries.values()].map(({ row }) => row) };
}

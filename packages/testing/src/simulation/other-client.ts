import type { KubeClient, WriteOptions } from "@kaji/client";
import { ApiError, parseApiVersion, resource } from "@kaji/core";
import type { DynamicObject, JsonObject, Resource, Scope } from "@kaji/core";
import { unlessOutrun } from "./actors/unless-outrun.ts";
import type { Leaf } from "./applied-leaves.ts";
import type { ObjectId } from "./object-id.ts";
import { patchStatus } from "./patch-status.ts";
import type { WorldState } from "./world-state.ts";

/** The mark that somebody else leaves on an object. */
export const editMark = "explore.kaji.dev/edited";

/** An edit of somebody else, which must not be lost. */
export interface Edit {
  readonly id: ObjectId;
  readonly uid: string;
  /** An annotation. */
  readonly mark: string;
}

/** A kind that is served, as far as one has to know it to write an object. */
export interface ServedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Scope;
}

/** Somebody else, who writes the objects of the operator. */
export class OtherClient {
  /** In the order in which they were made. */
  readonly edits: Edit[] = [];
  readonly #client: KubeClient;
  readonly #state: WorldState;
  readonly #kinds: () => readonly ServedKind[];

  #isActing = false;

  constructor(client: KubeClient, state: WorldState, kinds: () => readonly ServedKind[]) {
    this.#client = client;
    this.#state = state;
    this.#kinds = kinds;
  }

  /** Whether what happens is his doing. */
  get isActing(): boolean {
    return this.#isActing;
  }

  /** Puts a mark on an object, if it is there. */
  async edit(id: ObjectId): Promise<void> {
    const object = this.#state.find(id);
    const kind = object === undefined ? undefined : this.#resourceOf(object);
    if (object?.metadata.uid === undefined || kind === undefined) return;
    const mark = `${editMark}-${this.edits.length + 1}`;
    await this.#act(() => this.#client.mergePatch(kind, object.metadata, { metadata: { annotations: { [mark]: "true" } } }));
    this.edits.push({ id, uid: object.metadata.uid, mark });
  }

  /** Changes a field of an object. False if the server does not have it. */
  async change(object: DynamicObject, { field, value }: Leaf, options: WriteOptions = {}): Promise<boolean> {
    const kind = this.#resourceOf(object);
    if (kind === undefined) return false;
    try {
      await this.#act(() => this.#client.jsonPatch(kind, object.metadata, [{ op: "replace", path: field, value }], options));
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  /** Has the world say something else of an object. */
  async writeStatus(object: DynamicObject, status: JsonObject): Promise<void> {
    const kind = this.#resourceOf(object);
    if (kind === undefined) return;
    await this.#act(() => unlessOutrun(patchStatus(this.#client, kind, object, status)));
  }

  /** Deletes an object, and in the background what belongs to it. */
  async delete(object: DynamicObject): Promise<void> {
    const kind = this.#resourceOf(object);
    if (kind !== undefined) await this.#act(() => this.#client.delete(kind, object.metadata, { propagationPolicy: "Background" }));
  }

  async #act(write: () => Promise<unknown>): Promise<void> {
    this.#isActing = true;
    try {
      await write();
    } finally {
      this.#isActing = false;
    }
  }

  #resourceOf({ apiVersion, kind }: DynamicObject): Resource | undefined {
    const { group, version } = parseApiVersion(apiVersion);
    const served = this.#kinds().find((each) => each.group === group && each.kind === kind);
    return served === undefined ? undefined : resource({ group, version, kind, plural: served.plural, scope: served.scope });
  }
}

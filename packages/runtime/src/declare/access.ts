import type { KubeObject, ObjectOf } from "@kaji/core";
import type { Owned, Used, Verb, Watched } from "./declarations.ts";

/** Of each verb, the objects with which it may be done. It is known to the compiler only. */
export interface Access {
  /** Those that are mirrored. */
  readonly watch: KubeObject;
  readonly get: KubeObject;
  readonly list: KubeObject;
  readonly create: KubeObject;
  readonly update: KubeObject;
  readonly patch: KubeObject;
  readonly delete: KubeObject;
  readonly deletecollection: KubeObject;
  readonly "update/status": KubeObject;
  readonly "patch/status": KubeObject;
  readonly "create/eviction": KubeObject;
}

/** What is done with the objects that a controller looks after, whatever it declares. */
export type SelfVerb = "get" | "list" | "watch" | "update/status" | "patch/status";

/** What is done with an owned kind, whatever is declared beyond it. */
export type OwnedVerb = "get" | "list" | "watch" | "create" | "patch" | "delete";

/** What the declarations of a controller allow. */
export type AccessOf<T extends KubeObject, Owns, Watches, Uses, Self extends Verb> = {
  readonly [V in keyof Access]: Allowed<V, Grant<T, SelfVerb | Self> | GrantOfOwned<Owns> | GrantOfWatched<Watches> | GrantOfUsed<Uses>>;
};

/** Access to some kinds with all verbs, and to others for reading only. */
export interface BroadAccess<Cached extends KubeObject, Writable extends KubeObject, Live extends KubeObject> extends Access {
  readonly watch: Cached;
  readonly get: Live | Writable;
  readonly list: Live | Writable;
  readonly create: Writable;
  readonly update: Writable;
  readonly patch: Writable;
  readonly delete: Writable;
  readonly deletecollection: Writable;
  readonly "update/status": Writable;
  readonly "patch/status": Writable;
  readonly "create/eviction": Writable;
}

interface Grant<T extends KubeObject, V extends Verb> {
  readonly object: T;
  readonly verb: V;
}

type Allowed<V extends Verb, G> = G extends Grant<infer T, infer Verbs> ? (V & Verbs extends never ? never : T) : never;

type GrantOfOwned<Entry> =
  Entry extends Owned<infer T, infer Verbs>
    ? Grant<T, OwnedVerb | Verbs>
    : Entry extends Declared
      ? never
      : Grant<ObjectOf<Entry>, OwnedVerb>;

type GrantOfWatched<Entry> = Entry extends Watched<infer T, infer Verbs> ? Grant<T, "get" | "list" | "watch" | Verbs> : never;

type GrantOfUsed<Entry> = Entry extends Used<infer T, infer Verbs> ? Grant<T, Verbs> : never;

type Declared = { readonly type: string };

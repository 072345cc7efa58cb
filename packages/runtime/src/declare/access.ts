import type { KubeObject, ObjectOf } from "@kaji/core";
import type { View, WholeOf } from "@kaji/informer";
import type { AnyKind } from "./any-kind.ts";
import type { Owned, ReadVerb, Used, Verb, Watched } from "./declarations.ts";

/** For each verb, the kinds that a controller has declared it for. It exists in types only. */
export interface DeclaredAccess {
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
  readonly "get/log": KubeObject;
  readonly "get/scale": KubeObject;
  readonly "patch/scale": KubeObject;
  readonly "create/binding": KubeObject;
  readonly "create/eviction": KubeObject;
  readonly "create/exec": KubeObject;
  readonly "create/token": KubeObject;
  /** Those of which a part is updated that is not the status, such as `update/approval`. */
  readonly "update/part": KubeObject;
  /** Those of which a part is patched that is not the status, such as `patch/resize`. */
  readonly "patch/part": KubeObject;
  /** Those that may be applied as children. */
  readonly apply: KubeObject;
}

/** A marker in each union of declared kinds: where another kind is used, the compiler error shows it, and with it what to declare. */
export interface NotDeclared<Remedy extends string> extends KubeObject {
  readonly kind: Remedy;
}

/** By verb, what to do so that a kind may be used with it. */
export type Remedies = {
  readonly [V in keyof DeclaredAccess]: V extends "apply"
    ? "add the kind to owns"
    : V extends "watch"
      ? "add the kind to owns or watches"
      : V extends "get" | "list"
        ? `declare ${V} in uses`
        : `declare ${V} in owns, watches, uses or selfVerbs`;
};

/** Verbs that every controller has for its own kind. */
export type SelfVerb = "get" | "list" | "watch" | "update/status" | "patch/status";

/** Verbs that every controller has for the kinds it owns. */
export type OwnedVerb = "get" | "list" | "watch" | "create" | "patch" | "delete";

/** What the declarations of a controller allow. */
export type AccessOf<T extends KubeObject, Owns, Watches, Uses, Self extends Verb> = Granted<
  Grant<T, SelfVerb | Self> | GrantOfUsed<Uses>,
  GrantOfOwned<Owns> | GrantOfWatched<Watches>
>;

interface Grant<T extends KubeObject, V extends Verb> {
  readonly object: T;
  readonly verb: V;
}

/** Applied is what is mirrored for it: that a kind which is merely watched may also be written live does not make its objects children. */
type Granted<G, Mirrored> = {
  readonly [V in Exclude<keyof DeclaredAccess, "apply" | "update/part" | "patch/part">]:
    | Allowed<V, G | Mirrored>
    | NotDeclared<Remedies[V]>;
} & {
  readonly "update/part": InPart<"update", G | Mirrored>;
  readonly "patch/part": InPart<"patch", G | Mirrored>;
  readonly apply: (Allowed<"create", Mirrored> & Allowed<"patch", Mirrored> & Allowed<"watch", Mirrored>) | NotDeclared<Remedies["apply"]>;
};

type Allowed<V extends Verb, G> = G extends Grant<infer T, infer Verbs> ? (V & Verbs extends never ? never : T) : never;

type InPart<V extends "update" | "patch", G> =
  G extends Grant<infer T, infer Verbs> ? ([Exclude<Extract<Verbs, `${V}/${string}`>, `${V}/status`>] extends [never] ? never : T) : never;

type GrantOfOwned<Entry> =
  Entry extends Owned<infer T, infer Verbs> ? MirrorGrant<T, OwnedVerb | Verbs> : MirrorGrant<MirroredOf<Entry>, OwnedVerb>;

/** The objects that an entry of `watches` lets be read from memory. */
export type ReadableOf<Entry> = Allowed<"watch", GrantOfWatched<Entry>>;

type GrantOfWatched<Entry> =
  Entry extends Watched<infer T, infer Verbs> ? MirrorGrant<T, ReadVerb | Verbs> : MirrorGrant<MirroredOf<Entry>, ReadVerb>;

type GrantOfUsed<Entry> = Entry extends Used<infer T, infer Verbs> ? Grant<T, Verbs> : never;

/** What the mirror has of an object may be a part of it, of which a request always has the whole. */
type MirrorGrant<T extends KubeObject, V extends Verb> = Grant<T, "watch"> | Grant<WholeOf<T>, Exclude<V, "watch">>;

/** The objects of a kind or a view that is declared by itself, of `anyKind` whatever is an object; none of what is declared otherwise. */
type MirroredOf<Entry> = Entry extends AnyKind
  ? KubeObject
  : Entry extends { readonly type: string }
    ? Entry extends View<infer T>
      ? T
      : never
    : ObjectOf<Entry>;

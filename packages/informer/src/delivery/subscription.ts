import type { KubeObject, ObjectMeta } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Delta } from "./delta.ts";

/** A delta as a handler gets it. */
export type DeliveredDelta<T> = Delta<DeepReadonly<T>> & {
  /** The metadata of `object`. Reading it does not parse the rest. */
  readonly metadata: ObjectMeta;
  /** The metadata of `previous`, if the delta has one. */
  readonly previousMetadata?: ObjectMeta | undefined;
};

/** Called with one delta at a time: the next one waits until the returned promise is settled. */
export type DeltaHandler<T extends KubeObject> = (delta: DeliveredDelta<T>) => void | Promise<void>;

/** A handler that an informer tells of its objects, until this is disposed of. */
export interface Subscription extends Disposable {
  /** Resolves when everything that was there at the beginning has been told, and the handler is done with it. */
  readonly synced: Promise<void>;
  /** How many objects there is something to tell of. */
  readonly pending: number;
  /** Tells of every object again, as a `Sync`. */
  resync(): void;
}

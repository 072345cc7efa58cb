import type { ObjectKey } from "@kaji/core";

/**
 * What happened to an object, as a subscriber is told: from what it was told before to what readers see now. What another client did before an own write, and
 * the server shows after it, is told from what there was before that.
 */
export type Delta<O> = DeltaOrigin &
  (
    | {
        readonly type: "Added";
        readonly object: O;
        /** Whether it was there before the informer was in step with the server. */
        readonly initial: boolean;
        /** Whether it was found by listing: the object may have had states before that no event showed. */
        readonly isListed?: boolean | undefined;
      }
    /** Seen by the watch, or written here. */
    | { readonly type: "Updated"; readonly object: O; readonly previous: O }
    /** Found by listing: the object may have had states in between that no event showed. */
    | { readonly type: "Replaced"; readonly object: O; readonly previous: O }
    /** Nothing happened; the subscriber asked for a resync. */
    | { readonly type: "Sync"; readonly object: O }
    | {
        readonly type: "Deleted";
        /** Its last state; the last that was seen, if the final one is unknown. */
        readonly object: O;
        readonly finalStateUnknown: boolean;
      }
  );

interface DeltaOrigin {
  readonly key: ObjectKey;
  /** The writer, if the delta consists of nothing but its writes that were observed here; undefined if another client may have had a part in it. */
  readonly writer: unknown;
}

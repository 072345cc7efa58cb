import type { KubeObject } from "@kaji/core";

/** Where the annotations of the reconciled object are read and written. */
export interface OwnAnnotations {
  /** The object as it is now. */
  readonly present: () => KubeObject | undefined;
  /** With a state of the object as its basis, it is a Conflict if the object has been written since. */
  readonly annotate: (annotations: Readonly<Record<string, string | null>>, basis?: KubeObject) => Promise<unknown>;
}

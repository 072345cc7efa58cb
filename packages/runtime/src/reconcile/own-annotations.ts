import type { KubeObject } from "@kaji/core";

/** An annotation, and what is to be written there; null if it is to be removed. */
export interface Annotation {
  readonly name: string;
  readonly text: string | null;
}

/** Where the annotations of the reconciled object are read and written. */
export interface OwnAnnotations {
  /** The object as it is now. */
  readonly present: () => KubeObject | undefined;
  /** With a state of the object as its basis, it is a Conflict if the object has been written since. */
  readonly annotate: (annotation: Annotation, basis?: KubeObject) => Promise<unknown>;
}

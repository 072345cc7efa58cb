import type { KubeObject } from "@kaji/core";

/** Where the annotations of the reconciled object are read and written. */
export interface OwnAnnotations {
  /** The object as it is now. */
  readonly present: () => KubeObject | undefined;
  readonly annotate: (annotations: Readonly<Record<string, string | null>>) => Promise<unknown>;
}

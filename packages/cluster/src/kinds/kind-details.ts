import type { Column, KindVersion, Strategy, Subresource } from "@kaji/apiserver";

/** What the tables do not say of a built-in kind: how its objects are made, checked, changed and shown. */
export interface KindDetails {
  /** Of the object itself. Where `status` is a subresource, clients' changes to it are dropped before this is asked. */
  readonly strategy?: Partial<Strategy>;
  /** Whether clients may set `status` through the object itself though it is a subresource. Default false. */
  readonly takesStatus?: boolean;
  /** Of its `status` subresource. Changes to `spec` are dropped before this is asked. */
  readonly status?: Partial<Strategy>;
  /** Subresources beside `status`; a kind offers those that are here, and no others. */
  readonly subresources?: Readonly<Record<string, Subresource>>;
  /** Default: name and time of creation. */
  readonly columns?: readonly Column[];
  /** What tables say of an object besides its cells. */
  readonly rowConditions?: KindVersion["rowConditions"];
  /** Beyond `metadata.name` and `metadata.namespace`. */
  readonly selectableFields?: KindVersion["selectableFields"];
  /** Where objects are kept, if not under their plural. */
  readonly storagePrefix?: string;
  /** The `apiVersion` in which objects are kept, if not the group's preferred one. */
  readonly storageVersion?: string;
  readonly fromStorage?: KindVersion["fromStorage"];
  readonly toStorage?: KindVersion["toStorage"];
  /** The warning that a request to this version gets. */
  readonly deprecation?: string;
  /** Answers a create without storing anything. */
  readonly answer?: KindVersion["answer"];
}

/** Details by `GROUP/VERSION/PLURAL`, the core group being empty: `/v1/pods`, `apps/v1/deployments`. */
export type KindDetailsTable = Readonly<Record<string, KindDetails>>;

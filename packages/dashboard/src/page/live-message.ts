/** How an object is doing, as far as it says: `Quiet` is one that says nothing. */
export type State = "Good" | "Waiting" | "Bad" | "Quiet";

/** A state, and in few words why. */
export interface Health {
  readonly state: State;
  readonly why: string;
}

/** Names an object to a reader, and to the address of its page. */
export interface ObjectName {
  /** The id of its kind: `deployments.apps`, `pods`. */
  readonly kindId: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** A kind with what there is of it. */
export interface KindSummary {
  readonly id: string;
  readonly kind: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly isCustom: boolean;
  readonly count: number;
  /** How many say that they are not ready. */
  readonly unready: number;
  /** How many of these fail. */
  readonly failing: number;
  /** Why the kind cannot be read now; undefined where it can. */
  readonly problem: string | undefined;
}

/** An object in the table of its kind. */
export interface Row extends Health {
  /** Its namespace and name. */
  readonly key: string;
  readonly namespace: string | undefined;
  readonly name: string;
  /** As the server wrote it; undefined where it did not. */
  readonly created: string | undefined;
  /** One for each column. */
  readonly cells: readonly string[];
}

/** An object among those that own it and those that it owns. */
export interface TreeNode extends ObjectName, Health {
  readonly isChosen: boolean;
  /** Whether the object itself was seen, and not only a reference to it. */
  readonly isKnown: boolean;
  readonly children: readonly TreeNode[];
  /** How many more children there are. */
  readonly hidden: number;
}

/** One of `status.conditions`. */
export interface ConditionLine extends Health {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: string | undefined;
}

/** An Event about an object or one below it. */
export interface EventLine {
  readonly id: string;
  readonly about: ObjectName;
  readonly isWarning: boolean;
  readonly reason: string;
  readonly message: string;
  readonly source: string;
  readonly count: number;
  readonly last: string | undefined;
}

/** A container of a Pod. Each of its runs has a log of its own, and is named by when it began. */
export interface ContainerLine {
  readonly name: string;
  /** The present run, or else the last; undefined before the first. */
  readonly run: string | undefined;
  /** The last one that has ended; undefined where none has. */
  readonly previousRun: string | undefined;
}

/** All of one object. */
export interface ObjectDetail extends ObjectName, Health {
  readonly created: string | undefined;
  /** Undefined once it is deleted. */
  readonly tree: TreeNode | undefined;
  readonly conditions: readonly ConditionLine[];
  readonly events: readonly EventLine[];
  readonly yaml: string;
  /** Of a Pod, those that have logs; empty of anything else. */
  readonly containers: readonly ContainerLine[];
}

/** A field that is not what it was. */
export interface FieldChange {
  /** Such as `spec.containers[web].image`. */
  readonly path: string;
  /** Undefined where there was none. */
  readonly before: string | undefined;
  /** Undefined where there is none any more. */
  readonly after: string | undefined;
  /** Whose field it is; undefined where no manager says so. */
  readonly manager: string | undefined;
}

/** What happened to an object between two versions of it that were seen. */
export interface Change {
  /** Grows with time. */
  readonly id: number;
  readonly atMs: number;
  readonly type: "Created" | "Changed" | "Deleted";
  readonly object: ObjectName;
  /** Undefined where what it was before is not known. */
  readonly fields: readonly FieldChange[] | undefined;
  /** How many more fields changed. */
  readonly hidden: number;
  /** Who made it. */
  readonly managers: readonly string[];
  /** Whether it says no more than that somebody is there. */
  readonly isHeartbeat: boolean;
}

/** A line from the server to the page. Each stream begins with `Hello`, and then tells all that the page shows. */
export type LiveMessage =
  | { readonly type: "Hello"; readonly cluster: string }
  | { readonly type: "Kinds"; readonly kinds: readonly KindSummary[]; readonly problem: string | undefined }
  /** All rows of the chosen kind; undefined where the cluster has no such kind. */
  | { readonly type: "Table"; readonly table: TableHead | undefined; readonly rows: readonly Row[] }
  | { readonly type: "Rows"; readonly changed: readonly Row[]; readonly removed: readonly string[]; readonly hidden: number }
  | { readonly type: "Object"; readonly object: ObjectDetail | undefined }
  /** Beside those told before, the newest last. Told at the beginning even if there are none. */
  | { readonly type: "Changes"; readonly changes: readonly Change[] };

/** A line from the server to a page that reads a log. */
export type LogMessage =
  /** The cluster has the log. All that it tells comes after this. */
  | { readonly type: "Opened" }
  /** The text goes on with this, wherever in a line it was. */
  | { readonly type: "Text"; readonly text: string }
  /** The container writes no more. */
  | { readonly type: "Ended" }
  | { readonly type: "Failed"; readonly why: string };

/** What stands over the rows. */
export interface TableHead {
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly columns: readonly string[];
  /** How many objects there are beyond those that are shown. */
  readonly hidden: number;
  readonly problem: string | undefined;
}

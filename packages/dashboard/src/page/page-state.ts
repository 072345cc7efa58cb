import { emptyLog } from "./log-state.ts";
import type { LogState } from "./log-state.ts";
import type { Change, KindSummary, LiveMessage, ObjectDetail, Row, TableHead } from "./live-message.ts";

/** What a page knows. */
export interface PageState {
  readonly cluster: string;
  /** How the page is connected to its server. */
  readonly link: Link;
  readonly kinds: readonly KindSummary[];
  /** Why the cluster cannot be reached. */
  readonly problem: string | undefined;
  /** `Unknown` until it was told; undefined where the cluster has no such kind. */
  readonly table: TableHead | "Unknown" | undefined;
  readonly rows: ReadonlyMap<string, Row>;
  /** `Unknown` until it was told; undefined where there is no such object. */
  readonly object: ObjectDetail | "Unknown" | undefined;
  /** The newest last. */
  readonly changes: readonly Change[];
  /** Whether it is known that there are no others. */
  readonly isToldOfChanges: boolean;
  readonly log: LogState;
}

/** Whether what the page shows is up to date. */
export type Link =
  | { readonly type: "Opening" }
  | { readonly type: "Live" }
  /** It is tried again. */
  | { readonly type: "Lost"; readonly why: string }
  /** It is of no use to try again. */
  | { readonly type: "Refused"; readonly why: string };

/** A page draws no more changes than these, and no more heartbeats. */
const mostChanges = 300;

/** A page that has been told nothing. */
export const emptyPage: PageState = {
  cluster: "",
  link: { type: "Opening" },
  kinds: [],
  problem: undefined,
  table: "Unknown",
  rows: new Map(),
  object: "Unknown",
  changes: [],
  isToldOfChanges: false,
  log: emptyLog,
};

/** The page after it was told something. */
export function withMessage(state: PageState, message: LiveMessage): PageState {
  switch (message.type) {
    case "Hello":
      // What is shown stays until there is something new.
      return { ...state, cluster: message.cluster, link: { type: "Live" } };
    case "Kinds":
      return { ...state, kinds: message.kinds, problem: message.problem };
    case "Table":
      return { ...state, table: message.table, rows: new Map(message.rows.map((row) => [row.key, row])) };
    case "Rows":
      return { ...state, table: withHidden(state.table, message.hidden), rows: withRows(state.rows, message) };
    case "Object":
      return { ...state, object: message.object };
    case "Changes":
      return { ...state, changes: withChanges(state.changes, message.changes), isToldOfChanges: true };
  }
}

function byAge(left: Change, right: Change): number {
  return left.id - right.id;
}

/** Each once: a new stream tells again what the last one told. */
function withChanges(known: readonly Change[], told: readonly Change[]): readonly Change[] {
  const byId = new Map([...known, ...told].map((change) => [change.id, change]));
  const { true: beats = [], false: others = [] } = Object.groupBy(byId.values(), ({ isHeartbeat }) => String(isHeartbeat));
  // Heartbeats go on for ever, and drive out nothing else.
  return [beats, others].flatMap((changes) => changes.sort(byAge).slice(-mostChanges)).sort(byAge);
}

function withHidden(table: PageState["table"], hidden: number): PageState["table"] {
  return table === undefined || table === "Unknown" ? table : { ...table, hidden };
}

function withRows(rows: PageState["rows"], { changed, removed }: Extract<LiveMessage, { type: "Rows" }>): PageState["rows"] {
  const present = new Map(rows);
  for (const key of removed) present.delete(key);
  for (const row of changed) present.set(row.key, row);
  return present;
}

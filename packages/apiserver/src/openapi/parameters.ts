import type { Parameter } from "./operation.ts";

/** Which object, in which namespace, and what below it: what a path leaves open. */
const ofPath: readonly Parameter[] = [
  { name: "name", in: "path", type: "string" },
  { name: "namespace", in: "path", type: "string" },
  { name: "path", in: "path", type: "string" },
];

const pretty = text("pretty");
const dryRun = text("dryRun");
const resourceVersion = text("resourceVersion");
const write: readonly Parameter[] = [dryRun, text("fieldManager"), text("fieldValidation")];
const remove: readonly Parameter[] = [
  dryRun,
  number("gracePeriodSeconds"),
  flag("ignoreStoreReadErrorWithClusterBreakingPotential"),
  flag("orphanDependents"),
  text("propagationPolicy"),
];
/** Which objects; with the two below it they are `ListOptions`. */
const select: readonly Parameter[] = [
  text("continue"),
  text("fieldSelector"),
  text("labelSelector"),
  number("limit"),
  resourceVersion,
  text("resourceVersionMatch"),
  flag("sendInitialEvents"),
  text("shardSelector"),
  number("timeoutSeconds"),
];
const watch: readonly Parameter[] = [flag("allowWatchBookmarks"), flag("watch")];

/** Which options an operation takes. */
type QueryOptions = "delete" | "deleteCollection" | "get" | "list" | "none" | "patch" | "write";

/** The options that queries take. Each parameter is one value, so that two operations with the same one have the very same. */
export const queryOptions: Readonly<Record<QueryOptions, readonly Parameter[]>> = {
  none: [pretty],
  /** `GetOptions`. */
  get: [pretty, resourceVersion],
  /** `CreateOptions` and `UpdateOptions`. */
  write: [pretty, ...write],
  /** `PatchOptions`. */
  patch: [pretty, ...write, flag("force")],
  /** `DeleteOptions`. */
  delete: [pretty, ...remove],
  /** `ListOptions`. */
  list: [pretty, ...select, ...watch],
  /** `DeleteOptions` and `ListOptions`, but for those that turn a list into a watch. */
  deleteCollection: [pretty, ...remove, ...select],
};

/** The parameters of an operation: what its path leaves open, and the options its query takes. */
export function parametersOf(path: string, options: readonly Parameter[]): readonly Parameter[] {
  return [...ofPath.filter(({ name }) => path.includes(`{${name}}`)), ...options];
}

function text(name: string): Parameter {
  return { name, in: "query", type: "string" };
}

function number(name: string): Parameter {
  return { name, in: "query", type: "integer" };
}

function flag(name: string): Parameter {
  return { name, in: "query", type: "boolean" };
}

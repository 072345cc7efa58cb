import type { Operation, Parameter } from "./operation.ts";
import { queryOptions } from "./parameters.ts";

/** The actions on a kind, in the words of `x-kubernetes-action`. */
export type ActionName = "delete" | "deletecollection" | "get" | "list" | "patch" | "post" | "put" | "watch" | "watchlist";

/** How an action is described whatever the kind. */
export interface Action {
  readonly method: Operation["method"];
  /** How the ids of its operations begin. */
  readonly verb: string;
  readonly options: readonly Parameter[];
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly body?: "DeleteOptions" | "Patch" | "object";
  readonly answer: "Status" | "WatchEvent" | "list" | "object";
  readonly codes: readonly number[];
}

const documents: readonly string[] = ["application/json", "application/yaml"];
const documentsOrStream: readonly string[] = [...documents, "application/json;stream=watch"];
const patches: readonly string[] = ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];
const strategicPatches: readonly string[] = [...patches, "application/strategic-merge-patch+json"];

const reading = { method: "get", consumes: ["*/*"], produces: documents, codes: [200] } as const;
const writing = { consumes: ["*/*"], produces: documents, body: "object", answer: "object" } as const;
const deleting = { ...writing, method: "delete", body: "DeleteOptions", answer: "Status" } as const;
const watching: Action = { ...reading, verb: "watch", options: queryOptions.list, produces: documentsOrStream, answer: "WatchEvent" };

/** The actions on a built-in kind. */
export const builtinActions: Readonly<Record<ActionName, Action>> = {
  get: { ...reading, verb: "read", options: queryOptions.none, answer: "object" },
  list: { ...reading, verb: "list", options: queryOptions.list, produces: documentsOrStream, answer: "list" },
  watch: watching,
  watchlist: watching,
  post: { ...writing, method: "post", verb: "create", options: queryOptions.write, codes: [200, 201, 202] },
  put: { ...writing, method: "put", verb: "replace", options: queryOptions.write, codes: [200, 201] },
  patch: {
    ...writing,
    method: "patch",
    verb: "patch",
    options: queryOptions.patch,
    consumes: strategicPatches,
    body: "Patch",
    codes: [200, 201],
  },
  delete: { ...deleting, verb: "delete", options: queryOptions.delete, codes: [200, 202] },
  deletecollection: { ...deleting, verb: "deletecollection", options: queryOptions.deleteCollection, codes: [200] },
};

const custom = { consumes: documents, produces: documents } as const;

/** The actions on a custom kind. The real server describes those elsewhere, and not quite alike; none is listed under `watch/`. */
export const customActions: Readonly<Record<Exclude<ActionName, "watch" | "watchlist">, Action>> = {
  get: { ...builtinActions.get, ...custom, options: queryOptions.get },
  list: { ...builtinActions.list, ...custom },
  post: { ...builtinActions.post, ...custom },
  put: { ...builtinActions.put, ...custom },
  patch: { ...builtinActions.patch, consumes: patches, codes: [200] },
  delete: { ...builtinActions.delete, ...custom },
  deletecollection: { ...custom, method: "delete", verb: "deletecollection", options: queryOptions.list, answer: "Status", codes: [200] },
};

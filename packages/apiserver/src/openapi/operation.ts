import type { GroupVersionKind } from "@kaji/core";

/** What can be done at a path, in the form of neither version of OpenAPI. */
export interface Operation {
  /** Such as `/api/v1/namespaces/{namespace}/pods`. */
  readonly path: string;
  readonly method: "delete" | "get" | "head" | "options" | "patch" | "post" | "put";
  /** Unique in all documents. */
  readonly id: string;
  readonly tag: string;
  /** What it does to which kind; absent for what is not about a kind. */
  readonly on?: { readonly action: string; readonly kind: GroupVersionKind };
  readonly parameters: readonly Parameter[];
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly body?: { readonly definition: string; readonly required: boolean };
  /** The name of the definition of what is answered; undefined for plain text. */
  readonly answer: string | undefined;
  /** The status codes of success. */
  readonly codes: readonly number[];
}

/** A part of the path or an option in the query. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly type: "boolean" | "integer" | "string";
}

/** What OpenAPI wants to be said of a status code. */
export const codeDescriptions: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 202: "Accepted", 401: "Unauthorized" };

/** The operations of one path, and the parameters that all of them have; those are said once, of the path. */
export interface OperationsAtPath {
  readonly path: string;
  readonly operations: readonly Operation[];
  readonly common: readonly Parameter[];
}

/** The operations by their path, in the order of the paths. */
export function byPath(operations: readonly Operation[]): readonly OperationsAtPath[] {
  return [...Map.groupBy(operations, ({ path }) => path)]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, each]) => ({ path, operations: each, common: commonParameters(each) }));
}

function commonParameters([first, ...others]: readonly Operation[]): readonly Parameter[] {
  return first?.parameters.filter((parameter) => others.every(({ parameters }) => parameters.includes(parameter))) ?? [];
}

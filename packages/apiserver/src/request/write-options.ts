import { badRequest, FieldPath, forbiddenField, invalid, notSupported, required } from "@kaji/core";
import type { FieldError, JsonObject } from "@kaji/core";
import { isTrue } from "@kaji/core/serving";
import { longestManagerBytes, validateManager } from "../apply/manager-validation.ts";

/** What every write may ask for besides its object. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** The name under which fields come to be owned. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
}

/** What becomes of fields the schema does not know, and of fields given twice. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** Options of a patch: an apply patch may take fields from their owners by force. */
export interface PatchOptions extends WriteOptions {
  readonly force: boolean;
}

const fieldValidations = ["", "Ignore", "Strict", "Warn"] as const;

/** Reads the options of a create or update out of the query. */
export function writeOptions(kind: "CreateOptions" | "UpdateOptions", query: URLSearchParams, userAgent: string | undefined): WriteOptions {
  if (query.size > 0) refuse(kind, commonErrors(query));
  return common(query, userAgent);
}

/** Reads the options of a patch out of the query. */
export function patchOptions(query: URLSearchParams, userAgent: string | undefined, isApply: boolean): PatchOptions {
  const errors = commonErrors(query);
  const force = query.get("force");
  if (isApply && (query.get("fieldManager") ?? "") === "") {
    errors.unshift(required(FieldPath.of("fieldManager"), "is required for apply patch"));
  }
  if (!isApply && force !== null) errors.unshift(forbiddenField(FieldPath.of("force"), "may not be specified for non-apply patch"));
  refuse("PatchOptions", errors);
  return { ...common(query, userAgent), force: isTrue(force) };
}

/** The options as an object, for admission. */
export function shownOptions(kind: "CreateOptions" | "UpdateOptions", query: URLSearchParams): JsonObject {
  const [fieldManager, fieldValidation] = [query.get("fieldManager") ?? "", query.get("fieldValidation") ?? ""];
  const dryRun = query.getAll("dryRun");
  return {
    kind,
    apiVersion: "meta.k8s.io/v1",
    ...(dryRun.length === 0 ? {} : { dryRun }),
    ...(fieldManager === "" ? {} : { fieldManager }),
    ...(fieldValidation === "" ? {} : { fieldValidation }),
  };
}

function common(query: URLSearchParams, userAgent: string | undefined): WriteOptions {
  const fieldValidation = query.get("fieldValidation");
  return {
    dryRun: query.getAll("dryRun").includes("All"),
    fieldManager: managerName(query.get("fieldManager"), userAgent),
    fieldValidation: fieldValidation === "Ignore" || fieldValidation === "Strict" ? fieldValidation : "Warn",
  };
}

function commonErrors(query: URLSearchParams): FieldError[] {
  return [
    ...validateManager(query.get("fieldManager") ?? "", FieldPath.of("fieldManager")),
    ...dryRunErrors(query),
    ...fieldValidationErrors(query.get("fieldValidation") ?? ""),
  ];
}

/** Wrong `dryRun` values, which deletions check too. */
function dryRunErrors(query: URLSearchParams): FieldError[] {
  const values = query.getAll("dryRun");
  return values.every((value) => value === "All") ? [] : [notSupported(FieldPath.of("dryRun"), values, ["All"])];
}

function fieldValidationErrors(value: string): FieldError[] {
  return fieldValidations.some((each) => each === value) ? [] : [notSupported(FieldPath.of("fieldValidation"), value, fieldValidations)];
}

/** Without a name the client's user agent up to its version stands in, as on the real server. */
function managerName(given: string | null, userAgent = ""): string {
  if (given !== null && given !== "") return given;
  const [program = ""] = userAgent.split("/");
  return program === "" ? "unknown" : program.slice(0, longestManagerBytes);
}

/** A 422 over the options themselves. */
export function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind }, "", errors);
}

/** An integer parameter; a 400 with Go's words when it is none. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text === null || text === "" ? undefined : parseInteger(text);
}

/** As Go's `ParseInt`; a 400 with its words for what is no integer. */
export function parseInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return value;
}

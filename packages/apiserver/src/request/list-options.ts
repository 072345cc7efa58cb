import { badRequest, FieldPath, forbiddenField } from "@kaji/core";
import type { FieldError } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { isTrue } from "@kaji/core/serving";
import { integerParameter, refuse } from "./write-options.ts";

/** What a list, watch or collection deletion selects. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** Undefined when not given, which differs from "0". */
  readonly resourceVersion: string | undefined;
  readonly resourceVersionMatch: "Exact" | "NotOlderThan" | undefined;
  /** 0 when there is no limit. */
  readonly limit: number;
  readonly continue: string | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

const matches = ["Exact", "NotOlderThan"] as const;

/** Reads the options of a list out of the query, by the rules of KEP-365 and KEP-1904. */
export function listOptions(query: URLSearchParams): ListOptions {
  const options = unmatched(query);
  const match = query.get("resourceVersionMatch") ?? "";
  refuse("ListOptions", listErrors(options, match));
  return { ...options, resourceVersionMatch: matches.find((each) => each === match) };
}

/** Reads those of a watch, by the rules of KEP-3157. */
export function watchOptions(query: URLSearchParams): ListOptions {
  const given = unmatched(query);
  const givenMatch = query.get("resourceVersionMatch") ?? "";
  // A watch that does not say where to begin begins with what is there.
  const isLegacy = given.sendInitialEvents === undefined && givenMatch === "" && (given.resourceVersion ?? "0") === "0";
  const options = isLegacy ? { ...given, sendInitialEvents: true } : given;
  const match = isLegacy ? "NotOlderThan" : givenMatch;
  refuse("ListOptions", watchErrors(options, match));
  return { ...options, resourceVersionMatch: matches.find((each) => each === match) };
}

type Unmatched = Omit<ListOptions, "resourceVersionMatch">;

function unmatched(query: URLSearchParams): Unmatched {
  const sendInitialEvents = query.get("sendInitialEvents");
  return {
    labelSelector: query.get("labelSelector") ?? "",
    fieldSelector: query.get("fieldSelector") ?? "",
    resourceVersion: present(query.get("resourceVersion")),
    limit: integerParameter(query, "limit") ?? 0,
    continue: present(query.get("continue")),
    timeoutSeconds: integerParameter(query, "timeoutSeconds"),
    allowWatchBookmarks: isTrue(query.get("allowWatchBookmarks")),
    sendInitialEvents: sendInitialEvents === null ? undefined : isTrue(sendInitialEvents),
  };
}

function watchErrors({ sendInitialEvents, continue: token }: Unmatched, match: string): FieldError[] {
  const path = FieldPath.of("resourceVersionMatch");
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    errors.push(forbiddenField(path, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (match === "") return errors;
  if (sendInitialEvents === undefined) {
    errors.push(forbiddenField(path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (match !== "NotOlderThan") errors.push(notEnumerated(path, match, ["NotOlderThan"]));
  if (token !== undefined) errors.push(forbiddenField(path, "resourceVersionMatch is forbidden when continue is provided"));
  return errors;
}

function listErrors({ resourceVersion, continue: token, sendInitialEvents }: Unmatched, match: string): FieldError[] {
  const errors = match === "" ? [] : matchErrors(resourceVersion, token, match);
  if (sendInitialEvents !== undefined) {
    errors.push(forbiddenField(FieldPath.of("sendInitialEvents"), "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function matchErrors(resourceVersion: string | undefined, token: string | undefined, match: string): FieldError[] {
  const path = FieldPath.of("resourceVersionMatch");
  const errors: FieldError[] = [];
  if (resourceVersion === undefined)
    errors.push(forbiddenField(path, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
  if (token !== undefined) errors.push(forbiddenField(path, "resourceVersionMatch is forbidden when continue is provided"));
  if (!matches.some((each) => each === match)) errors.push(notEnumerated(path, match, [...matches, ""]));
  if (match === "Exact" && resourceVersion === "0") {
    errors.push(forbiddenField(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

/** A resource version as a revision. */
export function revisionOf(resourceVersion: string): number {
  if (!/^\d+$/.test(resourceVersion)) {
    const detail = `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`;
    throw badRequest(`invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: ${detail}`);
  }
  return Number(resourceVersion);
}

function present(value: string | null): string | undefined {
  return value === null || value === "" ? undefined : value;
}

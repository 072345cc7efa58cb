import type { JsonObject } from "@kaji/core";
import type { Selection } from "./selection.ts";

/** What becomes of the objects that an object owns: deleted after it, before it, or left alone. */
export type PropagationPolicy = "Background" | "Foreground" | "Orphan";

/** How an object is deleted. */
export interface DeleteOptions {
  /** Deletes only this incarnation or this version of the object; another one is a Conflict. */
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
  /** Default: that of the kind, nearly always `Background`. */
  readonly propagationPolicy?: PropagationPolicy | undefined;
  /** How long a Pod may take to end; 0 takes it away at once. Default: that of the object. */
  readonly gracePeriodSeconds?: number | undefined;
  /** Lets the server check and answer, but not delete anything. Default: as the client says. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Which objects are deleted, and how. */
export interface DeleteCollectionOptions extends Selection, Omit<DeleteOptions, "preconditions"> {}

/** The body of a deletion; undefined when it says nothing. */
export function deleteBody({ preconditions, propagationPolicy, gracePeriodSeconds, dryRun }: DeleteOptions): JsonObject | undefined {
  const given = {
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(dryRun === true ? { dryRun: ["All"] } : {}),
  };
  return Object.keys(given).length === 0 ? undefined : { apiVersion: "v1", kind: "DeleteOptions", ...given };
}

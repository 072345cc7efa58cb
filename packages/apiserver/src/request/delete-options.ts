import { FieldPath, badRequest, invalidValue, isRecord } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject } from "@kaji/core";
import { notEnumerated } from "@kaji/core/go";
import { isTrue } from "@kaji/core/serving";
import { DecodeError } from "../object-schema.ts";
import type { ObjectSchema } from "../object-schema.ts";
import { readObject } from "./body.ts";
import type { RequestContext } from "./request-context.ts";
import { integerParameter, refuse } from "./write-options.ts";

/** How an object is to be deleted. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagation: Propagation | undefined;
  /** Whether the client asked in the old way not to orphan dependents; it is then told apart whether the object is gone. */
  readonly expectsDependentsGone: boolean;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/** What becomes of the objects that an object owns. */
export type Propagation = "Foreground" | "Background" | "Orphan";

/** Options as they are written, before they have been checked. */
interface Written {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/** Reads the options of a deletion: its body, a `DeleteOptions` of any group, or the query when there is none. */
export function deleteOptions({ body, headers, query }: RequestContext, schema: ObjectSchema): DeleteOptions {
  const hasBody = body !== undefined && body.byteLength > 0;
  const written = hasBody ? fromBody(decode(body, headers["content-type"], schema)) : fromQuery(query);
  refuse("DeleteOptions", optionErrors(written));
  const { dryRun, gracePeriodSeconds, orphanDependents, uid, resourceVersion } = written;
  const propagation = propagationOf(written);
  const expectsDependentsGone = orphanDependents === false;
  return { dryRun: dryRun.length > 0, gracePeriodSeconds, propagation, expectsDependentsGone, uid, resourceVersion };
}

/** The options as an object, for admission. */
export function shownDeleteOptions({ dryRun, gracePeriodSeconds, propagation, uid, resourceVersion }: DeleteOptions): JsonObject {
  const preconditions = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  return {
    kind: "DeleteOptions",
    apiVersion: "meta.k8s.io/v1",
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
}

function decode(body: Uint8Array, contentType: string | undefined, schema: ObjectSchema): DynamicObject {
  const expected = { group: "", version: "v1", kind: "DeleteOptions", schema };
  try {
    return readObject(body, contentType, expected, { fieldValidation: "Ignore", warn: () => {}, knows: () => false, anyVersion: true });
  } catch (error) {
    throw error instanceof DecodeError ? badRequest(error.message) : error;
  }
}

function fromQuery(query: URLSearchParams): Written {
  const orphan = query.get("orphanDependents");
  return {
    dryRun: query.getAll("dryRun"),
    gracePeriodSeconds: integerParameter(query, "gracePeriodSeconds"),
    propagationPolicy: query.get("propagationPolicy") ?? undefined,
    orphanDependents: orphan === null ? undefined : isTrue(orphan),
    uid: query.get("uid") || undefined,
    resourceVersion: query.get("resourceVersion") || undefined,
  };
}

function fromBody(body: DynamicObject): Written {
  const { dryRun, gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = body;
  const { uid, resourceVersion } = isRecord(preconditions) ? preconditions : {};
  return {
    dryRun: Array.isArray(dryRun) ? dryRun.map(String) : [],
    gracePeriodSeconds: typeof gracePeriodSeconds === "number" ? gracePeriodSeconds : undefined,
    propagationPolicy: typeof propagationPolicy === "string" ? propagationPolicy : undefined,
    orphanDependents: typeof orphanDependents === "boolean" ? orphanDependents : undefined,
    uid: typeof uid === "string" ? uid : undefined,
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : undefined,
  };
}

function optionErrors({ dryRun, propagationPolicy, orphanDependents }: Written): FieldError[] {
  const path = FieldPath.of("propagationPolicy");
  const errors: FieldError[] = [];
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push(invalidValue(path, propagationPolicy, "orphanDependents and deletionPropagation cannot be both set"));
  }
  if (propagationPolicy !== undefined && !isPropagation(propagationPolicy)) {
    errors.push(notEnumerated(path, propagationPolicy, [...propagations, "nil"]));
  }
  if (dryRun.some((value) => value !== "All")) errors.push(notEnumerated(FieldPath.of("dryRun"), dryRun, ["All"]));
  return errors;
}

const propagations = ["Foreground", "Background", "Orphan"] as const;

function isPropagation(value: string): value is Propagation {
  return propagations.some((each) => each === value);
}

function propagationOf({ propagationPolicy, orphanDependents }: Written): Propagation | undefined {
  if (propagationPolicy !== undefined && isPropagation(propagationPolicy)) return propagationPolicy;
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? "Orphan" : "Background";
}

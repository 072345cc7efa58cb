import { FieldPath, invalidValue, notFound, refusal } from "@kaji/core";
import type { RequestContext } from "../request/request-context.ts";
import { unsignedProblem } from "../request/unsigned.ts";
import { getComputed } from "./computed.ts";
import { objectOutcome } from "./outcome.ts";
import type { ObjectOutcome } from "./outcome.ts";
import type { Registry } from "./registry.ts";
import { waitForRevision } from "./revisions.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";

/** GET: reads one object, not older than the client asks for. */
export async function get(registry: Registry, target: Target, context: RequestContext): Promise<ObjectOutcome> {
  const name = requiredName(target);
  if (target.version.compute !== undefined) return getComputed(target, target.version.compute, context);
  const { query, clock, signal } = context;
  const revision = revisionToSee(query.get("resourceVersion") ?? "");
  if (revision > 0) await waitForRevision(registry.storage, revision, clock, signal);
  const stored = await registry.store(target.kind, target.version).read(target.namespace, name);
  if (stored === undefined) throw notFound(target.kind, name);
  return objectOutcome(200, stored);
}

/** 0 when any will do. */
function revisionToSee(resourceVersion: string): number {
  if (resourceVersion === "") return 0;
  const problem = unsignedProblem(resourceVersion);
  if (problem === undefined) return Number(resourceVersion);
  const { field, body } = invalidValue(FieldPath.of("resourceVersion"), resourceVersion, problem);
  throw refusal("", `${field}: ${body}`);
}

import { formatApiVersion, notFound } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { KindVersion } from "../kind.ts";
import { listOptions } from "../request/list-options.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { Listing } from "./listing.ts";
import { objectOutcome } from "./outcome.ts";
import type { ObjectOutcome } from "./outcome.ts";
import { selectionOf } from "./selection.ts";
import { ServedObject } from "./served-object.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";

/** Objects that are stored nowhere, but made for each request. */
export type Compute = NonNullable<KindVersion["compute"]>;

/** GET of one of them. */
export async function getComputed(target: Target, compute: Compute, context: RequestContext): Promise<ObjectOutcome> {
  const name = requiredName(target);
  const found = (await objectsOf(target, compute, context)).find(({ metadata }) => metadata.name === name);
  if (found === undefined) throw notFound(target.kind, name);
  return objectOutcome(200, found);
}

/** GET of all that are selected. There are no pages, and no revision to go on from. */
export async function listComputed(target: Target, compute: Compute, context: RequestContext): Promise<Listing> {
  const { matches = () => true } = selectionOf(target.version, listOptions(context.query));
  const objects = (await objectsOf(target, compute, context)).filter(matches);
  return { items: objects.map((object) => ServedObject.of(object)), metadata: { resourceVersion: "" } };
}

async function objectsOf(
  { kind, version, namespace }: Target,
  compute: Compute,
  context: RequestContext,
): Promise<readonly DynamicObject[]> {
  const type = { kind: kind.kind, apiVersion: formatApiVersion({ group: kind.group, version: version.version }) };
  const objects = await compute(namespace, context);
  return objects.map((object) => ({ ...object, ...type }));
}

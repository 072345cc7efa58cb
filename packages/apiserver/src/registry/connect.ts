import { formatApiVersion, jsonOf, notFound, objectOf } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { mutateAll, validateAll } from "../admission.ts";
import { askedOptions } from "../request/asked-options.ts";
import type { ConnectSubresource } from "../subresource.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiResponse } from "../response/api-response.ts";
import type { Registry } from "./registry.ts";
import { strategyContext } from "./stored-objects.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";

/** Joins a client to something that an object has, if admission lets it. */
export async function connect(
  registry: Registry,
  target: Target,
  subresource: ConnectSubresource,
  context: RequestContext,
): Promise<ApiResponse> {
  const asked = askedOptions(subresource.options, context.query);
  const options = await admitConnection(registry, target, { kind: subresource.kind, ...asked }, context);
  const name = requiredName(target);
  const stored = await registry.store(target.kind, target.version).read(target.namespace, name);
  if (stored === undefined) throw notFound(target.kind, name);
  return subresource.connect(stored.object, options, strategyContext(registry, context));
}

/** Asks admission whether a client may be joined to something that an object has, as these options say, and returns the options by which it is. */
export async function admitConnection(
  registry: Registry,
  target: Target,
  options: JsonObject & { readonly kind: string },
  context: RequestContext,
): Promise<JsonObject> {
  const apiVersion = formatApiVersion({ group: target.kind.group, version: target.version.version });
  const request = { operation: "CONNECT", target, oldObject: undefined, options: {}, dryRun: false, context } as const;
  // Options have no metadata.
  const object = await mutateAll(registry.admission, { ...request, object: objectOf({ apiVersion, ...options }) });
  await validateAll(registry.admission, { ...request, object });
  const { apiVersion: _apiVersion, kind: _kind, ...admitted } = jsonOf(object);
  return admitted;
}

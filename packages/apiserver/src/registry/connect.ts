import { formatApiVersion, notFound } from "@kaji/core";
import { validateAll } from "../admission.ts";
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
  const name = requiredName(target);
  const options = askedOptions(subresource.options, context.query);
  const apiVersion = formatApiVersion({ group: target.kind.group, version: target.version.version });
  const object = { kind: subresource.kind, apiVersion, metadata: { name: "" }, ...options };
  const wish = { operation: "CONNECT", target, object, oldObject: undefined, options: {}, dryRun: false, context } as const;
  await validateAll(registry.admission, wish);
  const stored = await registry.store(target.kind, target.version).read(target.namespace, name);
  if (stored === undefined) throw notFound(target.kind, name);
  return subresource.connect(stored.object, options, strategyContext(registry, context));
}

import { notFound } from "@kaji/core";
import type { ConnectSubresource } from "../subresource.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ApiResponse } from "../response/api-response.ts";
import type { Registry } from "./registry.ts";
import { strategyContext } from "./stored-objects.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";

/** Joins a client to something that an object has. */
export async function connect(
  registry: Registry,
  target: Target,
  { connect: join }: ConnectSubresource,
  context: RequestContext,
): Promise<ApiResponse> {
  const name = requiredName(target);
  const stored = await registry.store(target.kind, target.version).read(target.namespace, name);
  if (stored === undefined) throw notFound(target.kind, name);
  return join(stored.object, strategyContext(registry, context));
}

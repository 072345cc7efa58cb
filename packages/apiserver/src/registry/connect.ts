import { formatApiVersion, notFound } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { validateAll } from "../admission.ts";
import type { ConnectSubresource, QueryOption } from "../subresource.ts";
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
  const options = askedFor(subresource.options, context.query);
  const apiVersion = formatApiVersion({ group: target.kind.group, version: target.version.version });
  const object = { kind: subresource.kind, apiVersion, metadata: { name: "" }, ...options };
  const wish = { operation: "CONNECT", target, object, oldObject: undefined, options: {}, dryRun: false, context } as const;
  await validateAll(registry.admission, wish);
  const stored = await registry.store(target.kind, target.version).read(target.namespace, name);
  if (stored === undefined) throw notFound(target.kind, name);
  return subresource.connect(stored.object, options, strategyContext(registry, context));
}

/** What a query asks for, as fields of an object; what is empty or false is absent. */
function askedFor(options: readonly QueryOption[], query: URLSearchParams): JsonObject {
  const fields = options.map(({ name, type, isList = false }): readonly [string, JsonValue | undefined] => {
    const values = query.getAll(name).map((text) => valueOf(type, text));
    return [name, isList && values.length > 0 ? values : values[0]];
  });
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (value === undefined || value === "" || value === false ? [] : [[name, value]])),
  );
}

function valueOf(type: QueryOption["type"], text: string): JsonValue {
  if (type === "boolean") return text === "true" || text === "1";
  return type === "integer" ? Number(text) : text;
}

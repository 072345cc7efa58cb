import { badRequest, conflict, formatApiVersion, isJsonObject } from "@kaji/core";
import type { DynamicObject, JsonValue } from "@kaji/core";
import type { RequestContext } from "../request/request-context.ts";
import { parseStrictYaml } from "../request/strict-yaml.ts";
import type { PatchOptions } from "../request/write-options.ts";
import { createObject } from "./create.ts";
import { withMetadata } from "./object-meta.ts";
import type { Outcome } from "./outcome.ts";
import { writeBy } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { refuseStale, reviseObject } from "./revise.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";
import { refuseOtherName } from "./update.ts";

/** Server-side apply: makes the object have what the patch says, and no longer what this manager said before and says no more. */
export async function applyPatch(registry: Registry, target: Target, context: RequestContext, options: PatchOptions): Promise<Outcome> {
  const { kind, version, namespace } = target;
  const name = requiredName(target);
  const patch = readApplied(target, context, options);
  const complete = (object: DynamicObject): DynamicObject => {
    const { object: whole } = version.schema.decode(object as unknown as JsonValue);
    return version.strategy.default?.(whole) ?? whole;
  };
  const fields = registry.fieldManager(kind);
  const request = { patch, force: options.force, ...writeBy(options.fieldManager, target, context.clock.now()) };

  if (registry.store(kind, version).get(namespace, name) === undefined && target.subresource === undefined) {
    const { uid } = patch.metadata;
    if ((uid ?? "") !== "") {
      throw conflict(kind, name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`);
    }
    return createObject(registry, target, context, { sent: fields.apply(request), options, complete });
  }
  return reviseObject(registry, target, context, {
    options,
    wanted: (live) => {
      refuseStale(target, patch, live);
      return complete(fields.apply({ ...request, live }));
    },
  });
}

/** Reads the patch; an object of another type or name, or without its type, is refused. */
function readApplied(
  { kind, version, name, namespace }: Target,
  { body }: RequestContext,
  { fieldValidation }: PatchOptions,
): DynamicObject {
  const { value, duplicates } = parseApplied(body);
  const [duplicate] = duplicates;
  if (fieldValidation === "Strict" && duplicate !== undefined) {
    const key = duplicate.slice(duplicate.lastIndexOf(".") + 1);
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 1: key "${key}" already set in map`,
    );
  }
  const given = isJsonObject(value) ? value : {};
  const { apiVersion, kind: givenKind, metadata } = given;
  if (apiVersion !== formatApiVersion({ group: kind.group, version: version.version }) || givenKind !== kind.kind) {
    throw badRequest(`invalid object type: ${groupVersion(apiVersion)}, Kind=${typeof givenKind === "string" ? givenKind : ""}`);
  }
  const object = { ...given, metadata: isJsonObject(metadata) ? metadata : {} } as unknown as DynamicObject;
  if ((object.metadata.name ?? "") !== "") refuseOtherName(object, name ?? "");
  const named = withMetadata(object, { name: name ?? "" });
  if (namespace === undefined) return named;
  if ((named.metadata.namespace ?? namespace) !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  return withMetadata(named, { namespace });
}

function parseApplied(body: Uint8Array | undefined): ReturnType<typeof parseStrictYaml> {
  try {
    return parseStrictYaml(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function groupVersion(apiVersion: unknown): string {
  if (typeof apiVersion !== "string") return "/";
  return apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
}

import {
  FieldPath,
  PatchError,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  invalid,
  invalidValue,
  isJsonArray,
  isJsonObject,
  jsonOf,
  refusal,
  stringifyJson,
} from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import { formatGo } from "@kaji/core/go";
import { DecodeError } from "../object-schema.ts";
import type { ObjectSchema } from "../object-schema.ts";
import type { ExpectedType } from "../request/body-type.ts";
import { understand } from "../request/body.ts";
import type { DecodeOptions } from "../request/body.ts";
import { parsePatch, patchTypeOf } from "../request/patch-body.ts";
import type { PatchType } from "../request/patch-body.ts";
import type { RequestContext } from "../request/request-context.ts";
import { patchOptions } from "../request/write-options.ts";
import { applyPatch } from "./apply-patch.ts";
import { inNamespace } from "./object-meta.ts";
import type { Outcome } from "./outcome.ts";
import { reading, writeBy } from "./registry.ts";
import type { Registry } from "./registry.ts";
import { refuseStale, reviseObject } from "./revise.ts";
import { expectedType, requiredName } from "./target.ts";
import type { Target } from "./target.ts";
import { refuseOtherName, refuseUnconditional } from "./update.ts";

/** PATCH: changes an object by what its patch says, whatever else has changed meanwhile. */
export async function patch(registry: Registry, target: Target, context: RequestContext): Promise<Outcome> {
  const type = patchTypeOf(target.version.schema, context.headers["content-type"]);
  const options = patchOptions(context.query, context.headers["user-agent"], type === "apply");
  if (type === "apply") return applyPatch(registry, target, context, options);
  const patching = {
    type,
    body: context.body,
    expected: expectedType(target),
    options: reading(registry, context, options),
  };
  return reviseObject(registry, target, context, {
    options,
    wanted: async (live) => {
      const made = patchedObject(patching, live);
      refuseOtherName(made, requiredName(target));
      const patched = inNamespace(made, target.namespace);
      refuseStale(target, patched, live);
      refuseUnconditional(target, patched);
      const next = target.version.strategy.default?.(patched) ?? patched;
      const by = writeBy(options.fieldManager, target, context.clock.now());
      return registry.fieldManagers.run(target.kind, (fields) => fields.update({ live, next, ...by }));
    },
  });
}

/** A patch on its way into an object of some type. */
export interface Patching {
  readonly type: Exclude<PatchType, "apply">;
  readonly body: Uint8Array | undefined;
  readonly expected: ExpectedType;
  readonly options: DecodeOptions;
}

/** What an object is after a patch, which is not read before there is an object; 422 when it is no longer one of its type. */
export function patchedObject({ type, body, expected, options }: Patching, live: DynamicObject): DynamicObject {
  const parsed = parsePatch(type, body);
  const patched = inReadingOrder(type, patchJson(type, parsed.value, jsonOf(live), expected.schema), jsonOf(live));
  const value = type === "strategic" ? ofSameType(patched, live) : patched;
  try {
    return understand({ value, duplicates: parsed.duplicates }, expected, { ...options, live });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const isStrategic = type === "strategic";
    const shown = isStrategic ? formatGo(spentPatch(parsed.value, jsonOf(live))) : stringifyJson(value);
    const why = isStrategic ? (error.conversion ?? error.message) : error.message;
    throw invalid({ group: "", kind: "" }, "", [invalidValue(FieldPath.of("patch"), shown, why)]);
  }
}

/** A strategic patch works on a Go struct of the type, which what the patch says of the type does not change. */
function ofSameType(value: JsonValue, { apiVersion, kind }: DynamicObject): JsonValue {
  if (!isJsonObject(value)) return value;
  const isText = (field: "apiVersion" | "kind"): boolean => typeof (value[field] ?? "") === "string";
  return isText("apiVersion") && isText("kind") ? { ...value, apiVersion, kind } : value;
}

/**
 * A patched value as the real server writes and reads it again, which decides what it complains of first: the fields of objects that a patch
 * has changed or brings come by name, but for those that a JSON patch brings. What has not changed is the very same as before.
 */
function inReadingOrder(type: Patching["type"], value: JsonValue, live: JsonValue | undefined): JsonValue {
  if (value === live) return value;
  if (isJsonArray(value)) return value.map((item, index) => inReadingOrder(type, item, isJsonArray(live) ? live[index] : undefined));
  if (!isJsonObject(value) || (type === "json" && !isJsonObject(live))) return value;
  const before = isJsonObject(live) ? live : {};
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, inReadingOrder(type, value[name] ?? null, before[name])]));
}

/** A strategic patch after it has been applied, which is when the real server shows it: nulls below what was not there are gone. */
function spentPatch(patch: JsonValue, live: JsonValue | undefined): JsonValue {
  if (isJsonObject(patch) && isJsonObject(live)) return mapValues(patch, (part, name) => spentPatch(part, live[name]));
  return isJsonArray(patch) && isJsonArray(live) ? patch : withoutNulls(patch);
}

function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  return mapValues(Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null)), withoutNulls);
}

function mapValues(object: JsonObject, change: (part: JsonValue, name: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, part]) => [name, part === undefined ? part : change(part, name)]));
}

/** Applies a patch to some JSON. */
function patchJson(type: Patching["type"], patch: JsonValue, live: JsonValue, { patchSchema }: ObjectSchema): JsonValue {
  try {
    if (type === "json") return applyJsonPatch(live, patch);
    const isStrategic = type === "strategic" && patchSchema !== undefined && isJsonObject(live) && isJsonObject(patch);
    return isStrategic ? applyStrategicMergePatch(live, patch, patchSchema) : applyMergePatch(live, patch);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    // The real server keeps to itself why a JSON patch does not apply.
    if (type === "json") throw refusal("Invalid", "the server rejected our request due to an error in our request", {});
    throw refusal(error.reason, error.message);
  }
}

import { isJsonArray, isJsonObject, parseJsonBytes, withGroup } from "@kaji/core";
import type { JsonValue, TransportRequest } from "@kaji/core";
import { ByteMemo } from "./byte-memo.ts";
import { freeName } from "./free-name.ts";
import type { RequestTarget } from "./request-target.ts";
import { withoutUids } from "./uid-text.ts";

/** Fields that differ from run to run though the same is written. */
const volatileFields = new Set(["resourceVersion", "uid", "creationTimestamp", "managedFields", "generation", "observedGeneration"]);
const timePattern = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** No time is shorter. */
const timeLength = 20;

/** What a write carries. */
export interface WriteBody {
  /** Null if nothing. */
  readonly json: JsonValue;
  /** Alike in all runs that write the same. */
  readonly digest: string;
}

/** Says what a write does, alike in all runs that do the same: the verb, the object, and a digest of what is written. */
export function writeSignature({ verb, group, plural, namespace, name, subresource }: RequestTarget, body: WriteBody): string {
  const kind = withGroup(plural, group);
  const own = [namespace, name ?? writtenName(body.json), subresource].filter((part) => part !== undefined).join("/");
  return `${verb} ${kind} ${own} ${body.digest}`;
}

/** Reads what a write carries. */
export function writeBody({ body }: Pick<TransportRequest, "body">): WriteBody {
  return bodies.of(body ?? Buffer.alloc(0));
}

const bodies = new ByteMemo((bytes): WriteBody => {
  const json = bytes.byteLength === 0 ? null : parseJsonBytes(bytes);
  return { json, digest: digest(JSON.stringify(steady(json))) };
});

/** A value less all that differs from run to run. */
export function steady(value: JsonValue): JsonValue {
  if (typeof value === "string") return steadyText(value);
  if (isJsonArray(value)) return value.map(steady);
  if (!isJsonObject(value)) return value;
  const fields = new Map<string, JsonValue>();
  for (const [key, field] of Object.entries(value)) {
    if (volatileFields.has(key)) continue;
    // Two keys may differ in nothing else.
    fields.set(freeName(fields, steadyText(key)), field === undefined ? null : steady(field));
  }
  return Object.fromEntries(fields);
}

function steadyText(text: string): string {
  return text.length < timeLength ? text : withoutUids(text.replaceAll(timePattern, "<time>"));
}

function writtenName(body: JsonValue): string | undefined {
  const metadata = isJsonObject(body) ? body["metadata"] : undefined;
  if (!isJsonObject(metadata)) return undefined;
  const { name, generateName } = metadata;
  if (typeof name === "string") return name;
  return typeof generateName === "string" ? `${generateName}*` : undefined;
}

/** FNV-1a, 32 bits: short, and collisions cost no more than a fault at a neighbouring write. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

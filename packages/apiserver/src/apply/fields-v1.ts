import { isRecord } from "@kaji/core";
import { FieldSet } from "./field-set.ts";
import { parseElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** A set as it was read, and whether writing it again would give the same, but for the order of keys. */
export interface DecodedFields {
  readonly fields: FieldSet;
  readonly canonical: boolean;
}

/** Reads a set. Steps of unknown kinds are dropped; what is no step at all throws. */
export function decodeFields(encoded: unknown): DecodedFields {
  if (encoded === null || encoded === undefined) return { fields: FieldSet.empty, canonical: false };
  const { fields, canonical } = decodeNode(encoded);
  return fields.member ? { fields: fields.difference(FieldSet.leaf), canonical: false } : { fields, canonical };
}

function decodeNode(encoded: unknown): DecodedFields {
  if (encoded === null) return { fields: FieldSet.leaf, canonical: false };
  if (!isRecord(encoded)) throw new TypeError(`expected an object of fields, got ${typeof encoded}`);
  const children = new Map<PathElement, FieldSet>();
  let canonical = true;
  let member = false;
  for (const key of Object.keys(encoded)) {
    const element = key === "." ? undefined : parseElement(key);
    if (element === undefined) {
      member ||= key === ".";
      canonical &&= key === ".";
      continue;
    }
    const below = decodeNode(encoded[key]);
    canonical &&= below.canonical && element === key;
    children.set(element, below.fields.isEmpty ? FieldSet.leaf : below.fields);
  }
  return { fields: member ? FieldSet.whole(children) : FieldSet.parts(children), canonical: canonical && !(member && children.size === 0) };
}

import { quote } from "../../go/go-quote.ts";
import { unclassified } from "./refusals.ts";

/**
 * A Go struct of the Kubernetes API, as far as strategic merge patches must know it.
 * Fields are asked for one by one, so that a table of types can make them on the way.
 */
export interface PatchSchema {
  /** The Go name of the struct: `PodSpec`. Messages cite it. */
  readonly name: string;
  /** The field with this JSON name, be it of the struct or of one that it embeds. */
  field(name: string): PatchField | undefined;
}

/** A struct, or the Go kind of a type that is none: `map`, `string`, `int32`, `interface` … */
export type PatchType = PatchSchema | string;

/** How patches treat one field. */
export interface PatchField {
  /** What the field holds; of a list, what each element is. */
  readonly type: PatchType;
  readonly list?: boolean;
  /** Default: objects are merged, lists replaced. */
  readonly strategy?: "merge" | "replace";
  /** Patches that are made for this field say in `$retainKeys` which fields remain, so that a union can change its member. */
  readonly retainKeys?: boolean;
  /** The field that tells the elements of a merged list apart. A merged list without one is a set of primitives. */
  readonly mergeKey?: string;
}

/** The field of a struct that holds an object. */
export function objectField(type: PatchType, name: string): PatchField {
  const field = fieldOf(type, name);
  return field.list === true ? { ...field, type: "slice" } : field;
}

/** The field of a struct that holds a list. */
export function listField(type: PatchType, name: string): PatchField {
  const field = fieldOf(type, name);
  if (field.list !== true) throw unclassified("expected slice or array type, but got: struct");
  return field;
}

function fieldOf(type: PatchType, name: string): PatchField {
  if (typeof type === "string") throw unclassified(`merging an object in json but data type is not struct, instead is: ${type}`);
  const field = type.field(name);
  if (field !== undefined) return field;
  throw unclassified(`unable to find api field in struct ${type.name} for the json field ${quote(name)}`);
}

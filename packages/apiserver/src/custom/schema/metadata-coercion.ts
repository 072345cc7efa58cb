import { ParseError, canonicalTime, isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { DecodeError } from "../../object-schema.ts";
import { jsonTypeOf } from "../../request/body-type.ts";

/** Metadata as the server understands it, and the paths of what it does not know. */
export interface CoercedMetadata {
  readonly metadata: JsonObject;
  readonly unknownFields: readonly string[];
}

/**
 * Reads the metadata of an object: unknown fields are dropped, empty ones left out, times take their canonical form.
 * A value of the wrong type is refused in Go's words. `path` is where the metadata stands.
 */
export function coerceMetadata(value: JsonValue, path: string): CoercedMetadata {
  if (value === null) return { metadata: {}, unknownFields: [] };
  if (!isJsonObject(value)) throw new DecodeError(`json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type v1.ObjectMeta`);
  const unknownFields: string[] = [];
  return { metadata: readStruct(value, objectMeta, { goPath: "", jsonPath: path, unknownFields }), unknownFields };
}

interface Struct {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Reader>;
  /** Fields that appear even when they are empty. */
  readonly always: readonly string[];
}

/** Reads a field; undefined when it is left out. */
type Reader = (value: JsonValue, place: FieldPlace) => JsonValue | undefined;

interface Place {
  /** The names of the fields on the way, as Go's messages list them. */
  readonly goPath: string;
  readonly jsonPath: string;
  readonly unknownFields: string[];
}

interface FieldPlace extends Place {
  /** The struct that declares the field. */
  readonly struct: string;
}

/** In the order of the names, for of several wrong values the first by name is the one that is reported. */
function readStruct(value: JsonObject, struct: Struct, place: Place): JsonObject {
  const read: Record<string, JsonValue> = {};
  for (const name of Object.keys(value).toSorted()) {
    const given = value[name];
    const reader = struct.fields.get(name);
    const jsonPath = `${place.jsonPath}.${name}`;
    if (reader === undefined) {
      if (given !== undefined) place.unknownFields.push(jsonPath);
      continue;
    }
    if (given === undefined || given === null) continue;
    const goPath = place.goPath === "" ? name : `${place.goPath}.${name}`;
    const field = reader(given, { goPath, jsonPath, struct: struct.name, unknownFields: place.unknownFields });
    if (field !== undefined) read[name] = field;
  }
  for (const name of struct.always) read[name] ??= "";
  return read;
}

function text(goType = "string"): Reader {
  return (value, place) => {
    if (typeof value !== "string") throw wrongType(value, place, goType);
    return value === "" ? undefined : value;
  };
}

const bool: Reader = (value, place) => {
  if (typeof value !== "boolean") throw wrongType(value, place, "bool");
  return value;
};

function int64(options: { readonly keepsZero: boolean }): Reader {
  return (value, place) => {
    if (typeof value !== "bigint" && !Number.isSafeInteger(value)) throw wrongType(value, place, "int64");
    return value === 0 && !options.keepsZero ? undefined : value;
  };
}

const time: Reader = (value) => {
  if (typeof value !== "string") throw new DecodeError(`json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type string`);
  try {
    return canonicalTime(value) ?? undefined;
  } catch (error) {
    if (error instanceof ParseError) throw new DecodeError(error.message, { cause: error });
    throw error;
  }
};

const textMap: Reader = (value, place) => {
  if (!isJsonObject(value)) throw wrongType(value, place, "map[string]string");
  const names = Object.keys(value);
  for (const name of names) {
    const entry = value[name];
    if (typeof entry !== "string" && entry !== null && entry !== undefined) throw wrongType(entry, place, "string");
  }
  if (names.length === 0) return undefined;
  const hasNull = names.some((name) => typeof value[name] !== "string");
  return hasNull ? Object.fromEntries(names.map((name) => [name, value[name] ?? ""])) : value;
};

const textList: Reader = (value, place) => {
  if (!isJsonArray(value)) throw wrongType(value, place, "[]string");
  const items = value.map((item) => {
    if (typeof item !== "string" && item !== null) throw wrongType(item, place, "string");
    return item ?? "";
  });
  return items.length === 0 ? undefined : items;
};

function structList(struct: Struct): Reader {
  return (value, place) => {
    if (!isJsonArray(value)) throw wrongType(value, place, `[]v1.${struct.name}`);
    const items = value.map((item, index) => {
      if (!isJsonObject(item) && item !== null) throw wrongType(item, place, `v1.${struct.name}`);
      return readStruct(item ?? {}, struct, { ...place, jsonPath: `${place.jsonPath}[${index}]` });
    });
    return items.length === 0 ? undefined : items;
  };
}

function wrongType(value: JsonValue, { struct, goPath }: FieldPlace, goType: string): DecodeError {
  const number = typeof value === "number" && goType === "int64" ? ` ${value}` : "";
  return new DecodeError(`json: cannot unmarshal ${jsonTypeOf(value)}${number} into Go struct field ${struct}.${goPath} of type ${goType}`);
}

const ownerReference: Struct = {
  name: "OwnerReference",
  fields: new Map([
    ["apiVersion", text()],
    ["kind", text()],
    ["name", text()],
    ["uid", text("types.UID")],
    ["controller", bool],
    ["blockOwnerDeletion", bool],
  ]),
  always: ["apiVersion", "kind", "name", "uid"],
};

const managedFieldsEntry: Struct = {
  name: "ManagedFieldsEntry",
  fields: new Map<string, Reader>([
    ["manager", text()],
    ["operation", text("v1.ManagedFieldsOperationType")],
    ["apiVersion", text()],
    ["time", time],
    ["fieldsType", text()],
    ["fieldsV1", (value) => value],
    ["subresource", text()],
  ]),
  always: [],
};

const objectMeta: Struct = {
  name: "ObjectMeta",
  fields: new Map([
    ["name", text()],
    ["generateName", text()],
    ["namespace", text()],
    ["selfLink", text()],
    ["uid", text("types.UID")],
    ["resourceVersion", text()],
    ["generation", int64({ keepsZero: false })],
    ["creationTimestamp", time],
    ["deletionTimestamp", time],
    ["deletionGracePeriodSeconds", int64({ keepsZero: true })],
    ["labels", textMap],
    ["annotations", textMap],
    ["ownerReferences", structList(ownerReference)],
    ["finalizers", textList],
    ["managedFields", structList(managedFieldsEntry)],
  ]),
  always: [],
};

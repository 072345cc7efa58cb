import { isJsonArray, isJsonObject } from "@kaji/core";
import type { DynamicObject, JsonArray, JsonObject, JsonValue } from "@kaji/core";
import type { FieldType, LeafType } from "@kaji/core/protobuf";
import { DecodeError } from "../object-schema.ts";
import { jsonTypeOf } from "../request/body-type.ts";
import { goName } from "./struct-plan.ts";
import type { FieldPlan, StructPlan, StructPlans } from "./struct-plan.ts";
import { decodeLeaf, hasOwnParser, zeroOf } from "./leaf-decoder.ts";

/** What reading a struct found besides the object. */
export interface Findings {
  /** Paths of the fields the struct does not have. */
  readonly unknownFields: string[];
  /** The first value of a wrong type; Go reads on after it, and only a value that cannot be parsed makes it stop. */
  mistake?: DecodeError;
}

/**
 * Reads JSON into a Go struct, as Go has it in memory: unknown fields are dropped, zero values appear or not as their field says, lists and maps
 * that are empty stay, quantities and times take their canonical form. A value of the wrong type is refused in Go's words.
 */
export class StructDecoder {
  readonly #plans: StructPlans;

  constructor(plans: StructPlans) {
    this.#plans = plans;
  }

  /** Reads a whole object; parts that it shares with `live`, which has been read before, are as they are. */
  decode(value: JsonValue, struct: string, findings: Findings, live?: DynamicObject): JsonObject {
    const plan = this.#plans.get(struct);
    if (!isJsonObject(value)) throw new DecodeError(`json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${plan.goName}`);
    const object = this.#struct(value, plan, undefined, findings, live);
    if (findings.mistake !== undefined) throw findings.mistake;
    return object;
  }

  /** Reads in the order of the document, which is that of complaints, and answers in the order of the struct. */
  #struct(value: JsonObject, plan: StructPlan, at: Place | undefined, findings: Findings, live?: DynamicObject): JsonObject {
    const present: Array<JsonValue | undefined | typeof absent> = plan.fields.map(() => absent);
    for (const name of Object.keys(value)) {
      const given = value[name];
      const field = plan.byName.get(name);
      if (given === undefined) continue;
      if (field === undefined) findings.unknownFields.push(pathOf(at, name));
      else if (live !== undefined && typeof given === "object" && given === live[name]) present[field.index] = given;
      else if (given !== null) present[field.index] = this.#present(given, field, { parent: at, field }, findings);
    }
    const object: Record<string, JsonValue> = {};
    for (const field of plan.fields) {
      const given = present[field.index];
      const decoded = given === absent ? this.#absent(field, findings) : given;
      if (decoded !== undefined) object[field.name] = decoded;
    }
    return object;
  }

  #absent({ whenAbsent, type }: FieldPlan, findings: Findings): JsonValue | undefined {
    switch (whenAbsent) {
      case "omit":
        return undefined;
      case "null":
        return null;
      case "zero":
        return zeroOf(type);
      case "struct":
        return type.type === "struct" ? this.#struct({}, this.#plans.get(type.name), undefined, findings) : null;
      default:
        return whenAbsent satisfies never;
    }
  }

  #present(given: JsonValue, field: FieldPlan, at: Place, findings: Findings): JsonValue | undefined {
    const decoded = this.#value(given, field.type, at, findings);
    return (field.omitsZero && isZero(decoded)) || ("schema" in field.type && decoded === null) ? undefined : decoded;
  }

  #value(value: JsonValue, type: FieldType, at: Place, findings: Findings): JsonValue {
    switch (type.type) {
      case "struct":
        if (!isJsonObject(value)) return mistaken(value, type, at, findings);
        return this.#struct(value, this.#plans.get(type.name), at, findings);
      case "list":
        if (!isJsonArray(value)) return mistaken(value, type, at, findings);
        return value.map((item, index) => this.#item(item, type.items, { parent: at, index }, findings));
      case "map":
        if (!isJsonObject(value)) return mistaken(value, type, at, findings);
        return this.#map(value, type.values, at, findings);
      case "schemaOrArray":
      case "schemaOrBool":
      case "schemaOrStrings":
        return this.#schemaOr(value, type, at, findings);
      case "bytes":
        return isJsonArray(value) ? byteList(value, at, findings) : leaf(value, type.type, at, findings);
      default:
        return leaf(value, type.type, at, findings);
    }
  }

  /** An item that is null is the zero value of its type, unless the type can be null. */
  #item(item: JsonValue, type: FieldType, at: Place, findings: Findings): JsonValue {
    if (item !== null) return this.#value(item, type, at, findings);
    return type.type === "struct" ? this.#struct({}, this.#plans.get(type.name), at, findings) : zeroOf(type);
  }

  #map(value: JsonObject, type: FieldType, at: Place, findings: Findings): JsonObject {
    const entries: [string, JsonValue][] = [];
    for (const key of Object.keys(value).toSorted()) {
      const given = value[key];
      if (given === undefined) continue;
      const decoded = this.#item(given, type, { parent: at, key }, findings);
      entries.push([key, decoded === null && type.type === "bytes" ? "" : decoded]);
    }
    return Object.fromEntries(entries);
  }

  /**
   * A JSON schema, or in its place an array, a boolean or a list of names. Go reads it by itself, apart from the rest: fields that it does not know go
   * unmentioned there, what is neither of the two is nothing, and what is wrong is told from there on where a patch made it.
   */
  #schemaOr(value: JsonValue, type: SchemaOrType, at: Place, findings: Findings): JsonValue {
    const within: Findings = { unknownFields: [] };
    const decoded = this.#schemaOrPart(value, type, { parent: at, isApart: true }, within);
    if (within.mistake !== undefined) findings.mistake ??= within.mistake;
    return decoded;
  }

  #schemaOrPart(value: JsonValue, type: SchemaOrType, at: Place, findings: Findings): JsonValue {
    if (isJsonObject(value)) return this.#struct(value, this.#plans.get(type.schema), at, findings);
    if (type.type === "schemaOrBool") {
      if (typeof value === "boolean") return value;
      findings.mistake ??= new DecodeError("boolean or JSON schema expected");
      return null;
    }
    const areNames = type.type === "schemaOrStrings";
    if (!isJsonArray(value) || value.length === 0) return areNames ? [] : null;
    const items: FieldType = areNames ? { type: "string" } : { type: "struct", name: type.schema };
    return value.map((item, index) => this.#item(item, items, { parent: at, index }, findings));
  }
}

type SchemaOrType = Extract<FieldType, { readonly schema: string }>;

/** Stands for a field that was not given, or given as null; undefined is one that is left out though it was. */
const absent: unique symbol = Symbol("absent");

/** Where in the object a value stands: below a field, an index or a key. */
type Place =
  | { readonly parent: Place | undefined; readonly field: FieldPlan }
  | { readonly parent: Place; readonly index: number }
  /** In what Go reads by itself from there on. */
  | { readonly parent: Place; readonly isApart: true }
  | { readonly parent: Place; readonly key: string };

function leaf(value: JsonValue, type: LeafType, at: Place, findings: Findings): JsonValue {
  try {
    return decodeLeaf(value, type, () => wrongType(value, at, { type }, hasOwnParser(type) ? parserProblem : conversionProblem));
  } catch (error) {
    if (!(error instanceof DecodeError) || hasOwnParser(type)) throw error;
    findings.mistake ??= error;
    return null;
  }
}

/** Bytes may also be given one by one. */
function byteList(items: JsonArray, at: Place, findings: Findings): JsonValue {
  const bytes = items.map((item) => {
    if (item === null || isByte(item)) return item ?? 0;
    const given = typeof item === "number" || typeof item === "bigint" ? `number ${item}` : jsonTypeOf(item);
    findings.mistake ??= new DecodeError(unmarshalProblem(given, at, "uint8"));
    return 0;
  });
  return Buffer.from(bytes).toString("base64");
}

function isByte(value: JsonValue): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 256;
}

function mistaken(value: JsonValue, type: FieldType, at: Place, findings: Findings): JsonValue {
  findings.mistake ??= wrongType(value, at, type);
  return null;
}

/** `spec.containers[0].foo`, as complaints about unknown fields have it. */
function pathOf(at: Place | undefined, name: string): string {
  const parts: string[] = [name];
  for (let place = at; place !== undefined; place = place.parent) {
    if ("field" in place) parts.unshift(place.field.name);
    else if ("key" in place) parts.unshift(place.key);
    else if ("index" in place) parts.unshift(`[${place.index}]`);
  }
  return parts.join(".").replaceAll(".[", "[");
}

/** Go leaves indices and keys out of the path, and names the struct that it reads. */
function wrongType(value: JsonValue, at: Place, type: FieldType, conversion = conversionProblem): DecodeError {
  const name = goTypeAt(at) ?? goType(type);
  const problem = given(value, type);
  const apart = problemApart(problem, at, name);
  return new DecodeError(unmarshalProblem(problem, at, name), { conversion: apart ?? conversion(value, type, name) });
}

function unmarshalProblem(given: string, at: Place, type: string): string {
  return `json: cannot unmarshal ${given} into Go ${goPlace(fieldsAround(at))} of type ${type}`;
}

/** The same where Go reads a part by itself, and does not know what is around it; undefined elsewhere. */
function problemApart(given: string, at: Place, type: string): string | undefined {
  let outermost: number | undefined;
  let depth = 0;
  for (let place: Place | undefined = at; place !== undefined; place = place.parent) {
    if ("isApart" in place) outermost = depth;
    else if ("field" in place) depth++;
  }
  if (outermost === undefined) return undefined;
  return `json: cannot unmarshal ${given} into Go ${goPlace(fieldsAround(at).slice(depth - outermost))} of type ${type}`;
}

/** The fields in which a value stands, the innermost last. */
function fieldsAround(at: Place): readonly FieldPlan[] {
  const fields: FieldPlan[] = [];
  for (let place: Place | undefined = at; place !== undefined; place = place.parent) if ("field" in place) fields.unshift(place.field);
  return fields;
}

function goPlace(fields: readonly FieldPlan[]): string {
  return fields.length === 0 ? "value" : `struct field ${fields.at(-1)?.struct}.${fields.map(({ citedAs }) => citedAs).join(".")}`;
}

/** Go's own words for the type of a field, its items or values; undefined where ours tell as much. */
function goTypeAt(at: Place): string | undefined {
  if ("field" in at) return at.field.goType;
  if ("isApart" in at) return undefined;
  const whole = goTypeAt(at.parent);
  const part = whole?.replace(/^(?:\[\]|map\[[^\]]*\])/, "");
  return part === whole ? undefined : part;
}

/** What the parser of a type says, which Go's converter leaves the reading to. */
function parserProblem(value: JsonValue, type: FieldType, name: string): string {
  return `json: cannot unmarshal ${given(value, type)} into Go value of type ${name}`;
}

/** A value as Go names it; a number that does not fit an integer is shown. */
function given(value: JsonValue, { type }: FieldType): string {
  const isShown = (typeof value === "number" || typeof value === "bigint") && (type === "intOrString" || isInteger(type));
  return isShown ? `${jsonTypeOf(value)} ${value}` : jsonTypeOf(value);
}

/** What Go's converter says, which fills structs from maps. */
function conversionProblem(value: JsonValue, { type }: FieldType, name: string): string {
  const from = isJsonArray(value) ? "slice" : isJsonObject(value) ? "map" : goKind(value);
  if (type === "list" || type === "bytes") return `cannot restore slice from ${from}`;
  if (type === "map") return `cannot restore map from ${from}`;
  if ((type === "string" && from === "int64") || (isInteger(type) && from === "float64")) return `cannot convert ${from} to ${name}`;
  return type === "string" || type === "bool" || type === "float64" || isInteger(type)
    ? `unrecognized type: ${type}`
    : `cannot restore struct from: ${from}`;
}

function isInteger(type: FieldType["type"]): boolean {
  return type === "int32" || type === "int64";
}

function goKind(value: JsonValue): string {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? "int64" : "float64";
  return typeof value === "bigint" ? "int64" : typeof value === "boolean" ? "bool" : typeof value;
}

function goType(type: FieldType): string {
  switch (type.type) {
    case "struct":
      return goName(type.name);
    case "list":
      return `[]${goType(type.items)}`;
    case "map":
      return `map[string]${goType(type.values)}`;
    case "bytes":
      return "[]uint8";
    case "time":
    case "microTime":
      return "string";
    case "intOrString":
      return "int32";
    case "schemaOrArray":
    case "schemaOrBool":
    case "schemaOrStrings":
      return goName(type.schema);
    case "json":
      return "v1.JSON";
    default:
      return type.type;
  }
}

/** A list or map is not zero for being empty. */
function isZero(value: JsonValue): boolean {
  return value === "" || value === 0 || value === false || value === null;
}

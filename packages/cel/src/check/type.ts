import type {
  Double,
  Duration,
  Int,
  ListValue,
  MapValue,
  OpaqueValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  Value,
} from "../value/value.ts";

declare const represents: unique symbol;

/** A type as the checker knows it. `T` is how its values are represented. */
export interface Type<T extends Value = Value> {
  readonly kind: TypeKind;
  readonly name: string;
  readonly parameters: readonly Type[];
  /** The fields of an object with declared fields. */
  readonly fields?: ReadonlyMap<string, Type>;
  /** The type of all other fields, where there may be any. */
  readonly otherFields?: Type;
  readonly [represents]?: T;
}

export type TypeKind =
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "dyn"
  | "error"
  | "int"
  | "list"
  | "map"
  | "null"
  | "opaque"
  | "string"
  | "struct"
  | "timestamp"
  | "type"
  | "typeParam"
  | "uint";

/** How values of a type are represented. */
export type ValueOf<T> = T extends Type<infer V> ? V : never;

/** True or false. */
export const boolType: Type<boolean> = simple("bool");
/** A sequence of bytes. */
export const bytesType: Type<Uint8Array> = simple("bytes");
/** A number of 64 bits with a fraction. */
export const doubleType: Type<Double> = simple("double");
/** A span of time, in nanoseconds. */
export const durationType: Type<Duration> = simple("duration", "google.protobuf.Duration");
/** Anything: what is done with it is checked when it is evaluated. */
export const dynType: Type = simple("dyn");
/** The type of an expression that has an error already; fits everywhere, so that the error is reported once. */
export const errorType: Type = simple("error", "!error!");
/** A whole number of 64 bits, with a sign. */
export const intType: Type<Int> = simple("int");
export const nullType: Type<null> = simple("null", "null_type");
/** A sequence of code points. */
export const stringType: Type<string> = simple("string");
/** A moment, in nanoseconds. */
export const timestampType: Type<Timestamp> = simple("timestamp", "google.protobuf.Timestamp");
/** A whole number of 64 bits, without a sign. */
export const uintType: Type<Uint> = simple("uint");
/** The type of types, of which nothing is known. */
export const typeType: Type<TypeValue> = simple("type");

/** Lists of items of one type. */
export function listType(item: Type): Type<ListValue> {
  return { kind: "list", name: "list", parameters: [item] };
}

/** Maps from keys of one type to values of another. */
export function mapType(key: Type, value: Type): Type<MapValue> {
  return { kind: "map", name: "map", parameters: [key, value] };
}

/** A value that may be absent. */
export function optionalType(value: Type): Type<Optional> {
  return { kind: "opaque", name: "optional_type", parameters: [value] };
}

/** The type of a type. */
export function typeOfType(type: Type): Type<TypeValue> {
  return { kind: "type", name: "type", parameters: [type] };
}

/** A type that a library defines. */
export function opaqueType<T extends OpaqueValue>(name: string): Type<T> {
  return { kind: "opaque", name, parameters: [] };
}

/** An object with declared fields. */
export function objectType(name: string, fields: ReadonlyMap<string, Type>): Type<MapValue> {
  return { kind: "struct", name, parameters: [], fields };
}

/** A type that a library defines and that null may stand for. */
export function namedType<T extends OpaqueValue>(name: string): Type<T> {
  return { kind: "struct", name, parameters: [] };
}

/** Stands for a type that a use decides. */
export function typeParam(name: string): Type {
  return { kind: "typeParam", name, parameters: [] };
}

/** Whether two types are the same. Type parameters are by their name, or all of them. */
export function sameType(left: Type, right: Type, typeParams: "byName" | "alike" = "byName"): boolean {
  if (left === right) return true;
  if (left.kind !== right.kind || left.parameters.length !== right.parameters.length) return false;
  if ((typeParams === "byName" || left.kind !== "typeParam") && left.name !== right.name) return false;
  return left.parameters.every((parameter, index) => sameType(parameter, right.parameters[index] ?? dynType, typeParams));
}

/** A type in an error message. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case "duration":
    case "timestamp":
    case "null":
      return type.kind;
    default:
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(formatType).join(", ")})`;
  }
}

/** The types of arguments in an error message. */
export function formatArguments(types: readonly Type[], isMember: boolean): string {
  const [target, ...rest] = types.map(formatType);
  return isMember ? `${target}.(${rest.join(", ")})` : `(${types.map(formatType).join(", ")})`;
}

export function isDyn(type: Type): boolean {
  return type.kind === "dyn";
}

export function isDynOrError(type: Type): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

/** The type of a field of an object; undefined where there is no such field. */
export function fieldType({ fields, otherFields }: Type, name: string): Type | undefined {
  return fields?.get(name) ?? otherFields;
}

/** What an optional is of; undefined for other types. */
export function unwrapOptional(type: Type): Type | undefined {
  return type.kind === "opaque" && type.name === "optional_type" ? type.parameters[0] : undefined;
}

function simple<T extends Value>(kind: TypeKind, name: string = kind): Type<T> {
  return { kind, name, parameters: [] };
}

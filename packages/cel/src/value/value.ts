/** A signed 64-bit integer: a number where that is exact, a bigint beyond. Each amount has one form only, so `===` compares. */
export type Int = number | bigint;

/** What an expression evaluates to. Errors are values, since `&&`, `||` and the macros built on them may absorb one. */
export type Value =
  | null
  | boolean
  | Int
  | string
  | Uint8Array
  | Double
  | Uint
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | Optional
  | TypeValue
  | OpaqueValue
  | ErrorValue;

/** A 64-bit floating-point number; in a class of its own, since a bare number is an integer. */
export class Double {
  readonly kind = "double";
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** An unsigned 64-bit integer. */
export class Uint {
  readonly kind = "uint";
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A point in time, with the offset it was written with. */
export class Timestamp {
  readonly kind = "timestamp";
  /** Since 1970, rounded down. */
  readonly seconds: number;
  readonly nanos: number;
  readonly offsetSeconds: number;

  constructor(seconds: number, nanos = 0, offsetSeconds = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.offsetSeconds = offsetSeconds;
  }
}

/** A span of time; it fits into an int64 of nanoseconds. */
export class Duration {
  readonly kind = "duration";
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** Counts the steps of an operation; `step` throws when the evaluation has made too many. */
export interface Meter {
  step(count: number): void;
}

/** A list. Items may be made when they are asked for. */
export interface ListValue {
  readonly kind: "list";
  readonly size: number;
  /** The item at an index, which must be less than `size`. */
  at(index: number): Value;
  /** All items, given by lists that have them at hand or keep them once they are read. */
  readonly items?: readonly Value[];
  /** Present in sets and lists with keys, which compare without regard to the order of items. */
  readonly equals?: (other: ListValue, meter: Meter) => boolean | ErrorValue;
  /** Present in sets and lists with keys, where `+` is a union. */
  readonly concat?: (other: ListValue) => ListValue;
}

/** A map, or an object with declared fields. */
export interface MapValue {
  readonly kind: "map";
  readonly size: number;
  /** Undefined when there is no such key; an error when there could not be one. */
  find(key: Value): Value | undefined;
  keys(): readonly Value[];
  /** Present in objects of which not all fields are declared. */
  readonly equals?: (other: MapValue, meter: Meter) => boolean | ErrorValue;
}

/** Something that may be absent. */
export class Optional {
  static readonly none: Optional = new Optional(undefined);
  readonly kind = "optional";
  readonly value: Value | undefined;

  private constructor(value: Value | undefined) {
    this.value = value;
  }

  static of(value: Value): Optional {
    return new Optional(value);
  }
}

/** A type as a value, as `type(1)` is. */
export class TypeValue {
  readonly kind = "type";
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a type that a library defines, such as a quantity. */
export interface OpaqueValue {
  readonly kind: "opaque";
  readonly typeName: string;
  /** The size by which costs are computed. Default 1. */
  readonly size?: number;
  equals(other: OpaqueValue): boolean | ErrorValue;
  toString(): string;
}

/** Why there is no value. */
export class ErrorValue {
  readonly kind = "error";
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The result of an operation that is not defined for its operands. */
export const noSuchOverload: ErrorValue = new ErrorValue("no such overload");

/** The error of a function, by what it is called on, where values of that kind cannot have it; values with methods of their own name none. */
export function noOverloadOf(name: string): (value: Value) => ErrorValue {
  const named = new ErrorValue(`no such overload: ${name}`);
  return (value) => (["duration", "string", "timestamp"].includes(kindOf(value)) ? noSuchOverload : named);
}

/** What a value is, in one word. */
export type Kind = "null" | "bool" | "int" | "string" | "bytes" | Exclude<Value, null | boolean | Int | string | Uint8Array>["kind"];

/** Tells values apart. */
export function kindOf(value: Value): Kind {
  switch (typeof value) {
    case "number":
    case "bigint":
      return "int";
    case "string":
      return "string";
    case "boolean":
      return "bool";
    default:
      if (value === null) return "null";
      return value instanceof Uint8Array ? "bytes" : value.kind;
  }
}

/** The name of a value's type at run time. */
export function typeNameOf(value: Value): string {
  const kind = kindOf(value);
  if (kind === "opaque") return (value as OpaqueValue).typeName;
  return typeNames[kind];
}

const typeNames: Readonly<Record<Exclude<Kind, "opaque">, string>> = {
  null: "null_type",
  bool: "bool",
  int: "int",
  string: "string",
  bytes: "bytes",
  double: "double",
  uint: "uint",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
  list: "list",
  map: "map",
  optional: "optional_type",
  type: "type",
  error: "error",
};

export function isError(value: unknown): value is ErrorValue {
  return value instanceof ErrorValue;
}

export function isInt(value: Value): value is Int {
  return typeof value === "number" || typeof value === "bigint";
}

export function isList(value: Value): value is ListValue {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "list";
}

export function isMap(value: Value): value is MapValue {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "map";
}

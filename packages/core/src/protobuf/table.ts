import type { GroupVersionKind } from "../object/group-version.ts";

/** What the decoder must know of the built-in kinds. `@kaji/types/tables` has it for all of Kubernetes. */
export interface ProtobufTable {
  /** The struct that holds an object of this kind; undefined when there is no such kind. */
  structOf(kind: GroupVersionKind): string | undefined;
  /** The fields of a struct in the order Go declares them; undefined when there is no such struct. */
  fieldsOf(struct: string): readonly ProtobufField[] | undefined;
}

/** A field of a Go struct: where it is on the wire, and when it appears in JSON. */
export interface ProtobufField {
  /** Its key in JSON; empty for an inline struct. */
  readonly name: string;
  /** Its number on the wire; 0 when it is not on it. */
  readonly number: number;
  readonly type: FieldType;
  /** The type as Go prints it, where a named type that is not a struct is part of it: `[]v1.Capability`. */
  readonly goType?: string;
  /** A pointer is absent or set, even to a zero value; any other field always has a value in Go. */
  readonly pointer: boolean;
  /** Not in JSON when it is zero. Go never takes a struct for zero here. */
  readonly omitEmpty: boolean;
  /** Not in JSON when it is zero, structs included. The decoder knows it of times only. */
  readonly omitZero: boolean;
  /** In JSON the fields of this struct are those of the surrounding one; on the wire it is a message of its own. */
  readonly inline: boolean;
}

/** The type of a value as Go declares it, with the types that have a JSON form of their own named apart. */
export type FieldType =
  | { readonly type: LeafType }
  | { readonly type: "struct"; readonly name: string }
  /** `wrapped`: on the wire the list is a message whose field 1 holds the items. */
  | { readonly type: "list"; readonly items: FieldType; readonly wrapped: boolean }
  /** Keys are strings. */
  | { readonly type: "map"; readonly values: FieldType }
  /** A JSON schema, or in its place what the name says; `schema` is the struct of the schema. */
  | { readonly type: "schemaOrArray" | "schemaOrBool" | "schemaOrStrings"; readonly schema: string };

/** Types without parts. `any` is JSON that is never on the wire; the last three are JSON carried as bytes. */
export type LeafType =
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "float64"
  | "bytes"
  | "time"
  | "microTime"
  | "quantity"
  | "intOrString"
  | "any"
  | "json"
  | "fieldsV1"
  | "rawExtension";

import type { FieldType, ProtobufField, ProtobufTable } from "@kaji/core/protobuf";

/** A Go struct, prepared for reading JSON into it. */
export interface StructPlan {
  /** The name with its package, as Go prints it: `v1.PodSpec`. */
  readonly goName: string;
  /** In the order Go declares and writes them, those of inline structs in their place. */
  readonly fields: readonly FieldPlan[];
  readonly byName: ReadonlyMap<string, FieldPlan>;
}

/** One field of a struct. */
export interface FieldPlan {
  readonly name: string;
  /** Its place among the fields of its plan. */
  readonly index: number;
  /** The struct it is read into. */
  readonly struct: string;
  /** Its name as Go's complaints have it, with that of an inline struct in front: `VolumeSource.configMap`. */
  readonly citedAs: string;
  readonly type: FieldType;
  /** Its type as Go prints it, where `type` does not tell. */
  readonly goType: string | undefined;
  /** Written as null or zero when absent, rather than left out. */
  readonly whenAbsent: "omit" | "null" | "zero" | "struct";
  /** Left out when its value is zero. */
  readonly omitsZero: boolean;
  readonly isPointer: boolean;
}

/** Turns a table of structs into plans, each once and only when something of that type is read. */
export class StructPlans {
  readonly #table: ProtobufTable;
  readonly #plans = new Map<string, StructPlan>();

  constructor(table: ProtobufTable) {
    this.#table = table;
  }

  /** The plan of a struct. */
  get(struct: string): StructPlan {
    let plan = this.#plans.get(struct);
    if (plan === undefined) {
      const declared = this.#fieldsOf(struct, { struct: bareName(struct), inline: "" });
      const fields = declared.map((field, index) => ({ ...field, index }));
      plan = { goName: goName(struct), fields, byName: new Map(fields.map((field) => [field.name, field])) };
      this.#plans.set(struct, plan);
    }
    return plan;
  }

  #fieldsOf(struct: string, reader: Reader): ReadonlyArray<Omit<FieldPlan, "index">> {
    const declared = this.#table.fieldsOf(struct);
    if (declared === undefined) throw new TypeError(`the table has no struct ${struct}`);
    return declared.flatMap((field) => {
      if (!field.inline || field.type.type !== "struct") return [planOf(field, reader)];
      const { name } = field.type;
      return this.#fieldsOf(name, { ...reader, inline: `${reader.inline}${bareName(name)}.` });
    });
  }
}

/** The struct that fields are read into, and the inline structs on the way to them. */
interface Reader {
  readonly struct: string;
  readonly inline: string;
}

function planOf(field: ProtobufField, { struct, inline }: Reader): Omit<FieldPlan, "index"> {
  const { name, type, goType, pointer, omitEmpty, omitZero } = field;
  const omitsZero = !pointer && (omitZero || (omitEmpty && !isGoStruct(type)));
  return { name, struct, citedAs: inline + name, type, goType, whenAbsent: whenAbsent(field), omitsZero, isPointer: pointer };
}

function whenAbsent({ type, pointer, omitEmpty, omitZero }: ProtobufField): FieldPlan["whenAbsent"] {
  if (omitZero) return "omit";
  if (!pointer && type.type === "struct") return "struct";
  if (omitEmpty && (pointer || !isGoStruct(type))) return "omit";
  return pointer || !hasZero(type) ? "null" : "zero";
}

/** Whether Go's zero value shows in JSON as something else than null. */
function hasZero({ type }: FieldType): boolean {
  return (
    type === "string" ||
    type === "bool" ||
    type === "int32" ||
    type === "int64" ||
    type === "float64" ||
    type === "quantity" ||
    type === "intOrString"
  );
}

/** Types that are structs in Go, which `omitempty` alone never leaves out. */
function isGoStruct({ type }: FieldType): boolean {
  return (
    type === "struct" ||
    type === "time" ||
    type === "microTime" ||
    type === "quantity" ||
    type === "intOrString" ||
    type === "rawExtension" ||
    type === "fieldsV1"
  );
}

/** `core.v1.PodSpec` → `PodSpec`. */
function bareName(struct: string): string {
  return struct.slice(struct.lastIndexOf(".") + 1);
}

/** `core.v1.PodSpec` → `v1.PodSpec`, as Go names a type after its package. */
export function goName(struct: string): string {
  return struct.split(".").slice(-2).join(".");
}

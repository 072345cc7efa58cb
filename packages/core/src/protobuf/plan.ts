import { wire } from "./reader.ts";
import type { FieldType, LeafType, ProtobufField, ProtobufTable } from "./table.ts";

/** What to do with a struct's message. */
export interface StructPlan {
  readonly name: string;
  /** By their number on the wire. */
  readonly fields: readonly (FieldPlan | undefined)[];
  /** Fields that Go writes to JSON even when the wire does not have them, those of inline structs included. */
  readonly always: readonly FieldPlan[];
  /** Whether `apiVersion` and `kind`, which travel in the envelope, belong to the object. */
  readonly hasTypeMeta: boolean;
}

/** What to do with one field. */
export interface FieldPlan {
  readonly name: string;
  readonly shape: "single" | "inline" | "list" | "wrapped" | "map";
  /** How the field, or each item of a list, must be written. */
  readonly wire: number;
  /** The type of the field, of the list's items or of the map's values. */
  readonly element: ElementPlan;
  /** Whether a zero value is left out of JSON. */
  readonly omitZero: boolean;
  /** Whether the field has no value unless the wire has it. */
  readonly nullable: boolean;
}

/** A type of which there is one value in one field on the wire. */
export class ElementPlan {
  readonly type: "struct" | "wrapped" | "schemaOrArray" | "schemaOrBool" | "schemaOrStrings" | ReadableLeaf;
  readonly #structName: string;
  readonly #plans: PlanCompiler;
  #struct: StructPlan | undefined;

  constructor(type: ElementPlan["type"], plans: PlanCompiler, structName = "") {
    this.type = type;
    this.#plans = plans;
    this.#structName = structName;
  }

  /** The struct it is, or that of the schema in a `schemaOr…`. Compiled on first use: most objects use few of the types they could. */
  get struct(): StructPlan {
    this.#struct ??= this.#plans.struct(this.#structName);
    return this.#struct;
  }
}

/** A type without parts; all that is JSON carried as bytes reads alike. */
type ReadableLeaf = Exclude<LeafType, "any" | "fieldsV1" | "rawExtension">;

/** Turns the table into plans, each struct once and only when an object that needs it is decoded. */
export class PlanCompiler {
  readonly #table: ProtobufTable;
  readonly #plans = new Map<string, StructPlan>();

  constructor(table: ProtobufTable) {
    this.#table = table;
  }

  struct(name: string): StructPlan {
    const known = this.#plans.get(name);
    if (known !== undefined) return known;
    const declared = this.#table.fieldsOf(name);
    if (declared === undefined) throw new TypeError(`the table has no struct ${name}`);
    const fields: (FieldPlan | undefined)[] = [];
    const always: FieldPlan[] = [];
    for (const field of declared) {
      if (field.number === 0) continue;
      const compiled = this.#field(field);
      while (fields.length < field.number) fields.push(undefined);
      fields[field.number] = compiled;
      if (field.inline) always.push(...compiled.element.struct.always);
      else if (isAlwaysInJson(field)) always.push(compiled);
    }
    const plan = { name, fields, always, hasTypeMeta: declared.some(({ inline, number }) => inline && number === 0) };
    this.#plans.set(name, plan);
    return plan;
  }

  #field({ name, type, pointer, inline, omitEmpty, omitZero }: ProtobufField): FieldPlan {
    const element = this.#element(elementOf(type));
    const shape = inline ? "inline" : shapeOf(type);
    return {
      name,
      shape,
      element,
      wire: shape === "single" || shape === "list" ? wireOf(element) : wire.bytes,
      omitZero: !pointer && (omitZero || (omitEmpty && !isStruct(type))),
      nullable: pointer || type.type === "list" || type.type === "map" || type.type === "bytes",
    };
  }

  #element(type: FieldType): ElementPlan {
    switch (type.type) {
      case "struct":
        return new ElementPlan("struct", this, type.name);
      case "schemaOrArray":
      case "schemaOrBool":
      case "schemaOrStrings":
        return new ElementPlan(type.type, this, type.schema);
      case "list":
        return new ElementPlan("wrapped", this);
      case "json":
      case "fieldsV1":
      case "rawExtension":
        return new ElementPlan("json", this);
      case "map":
      case "any":
        throw new TypeError(`a value of type ${type.type} cannot be on the wire here`);
      case "string":
      case "bool":
      case "int32":
      case "int64":
      case "float64":
      case "bytes":
      case "time":
      case "microTime":
      case "quantity":
      case "intOrString":
        return new ElementPlan(type.type, this);
      default:
        return type satisfies never;
    }
  }
}

function shapeOf(type: FieldType): FieldPlan["shape"] {
  if (type.type === "map") return "map";
  if (type.type === "list") return type.wrapped ? "wrapped" : "list";
  return "single";
}

/** What the items or values are; a list that is a message, within a map, is an element itself. */
function elementOf(type: FieldType): FieldType {
  if (type.type === "map") return type.values;
  return type.type === "list" ? type.items : type;
}

function wireOf({ type }: ElementPlan): number {
  if (type === "bool" || type === "int32" || type === "int64") return wire.varint;
  return type === "float64" ? wire.fixed64 : wire.bytes;
}

function isAlwaysInJson({ type, pointer, omitEmpty, omitZero }: ProtobufField): boolean {
  return isStruct(type) && !pointer ? !omitZero : !omitEmpty;
}

/** What Go has no struct for. */
const plainTypes: ReadonlySet<FieldType["type"]> = new Set(["string", "bool", "int32", "int64", "float64", "bytes", "list", "map", "any"]);

/** Whether Go has a struct here, which `omitempty` alone never leaves out. */
function isStruct({ type }: FieldType): boolean {
  return !plainTypes.has(type);
}

import { applyMergePatch, jsonOf, objectAt, structuralEqual, valueAt } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { SampleError, sampleValue } from "@kaji/core/define";
import type { DefinedVersion, StructuralSchema } from "@kaji/core/define";
import { structTable } from "@kaji/types/tables";
import { brokenRules } from "../broken-rules.ts";
import { interleaved } from "./interleaved.ts";
import { firstValue, otherValues } from "./other-values.ts";

/** One change of one field. */
export interface FieldChange {
  /** Such as `spec.replicas`. */
  readonly field: string;
  /** A merge patch of the whole object. */
  readonly patch: JsonObject;
}

/** Changes of an object, one after the other. From any weight on they can be left out, and the others still make sense. */
export interface SchemaChanges {
  readonly inOrder: readonly FieldChange[];
  /** First one of each field, then a second one of each: so at every depth of the schema. */
  readonly byWeight: readonly FieldChange[];
  /** Fields that are never changed. */
  readonly unchanged: readonly UnchangedField[];
}

/** A field that no change is known for. */
export interface UnchangedField {
  readonly field: string;
  readonly why: string;
}

/** The changes of an object's fields that the schema of its kind tells of: those of the metadata and the status are not looked at. */
export function schemaChanges(kind: DefinedVersion, object: JsonObject): SchemaChanges {
  const { metadata: _metadata, status: _status, apiVersion: _apiVersion, kind: _kind, ...properties } = kind.openApiSchema.properties ?? {};
  return new Changer(kind).properties({ ...kind.openApiSchema, properties }, { object, path: [] });
}

/** Where in an object a field is, and what the object is like when the field is changed. */
interface Place {
  readonly object: JsonObject;
  readonly path: readonly string[];
}

interface Field extends Place {
  readonly schema: StructuralSchema;
  readonly isRequired: boolean;
}

class Changer {
  readonly #kind: DefinedVersion;

  constructor(kind: DefinedVersion) {
    this.#kind = kind;
  }

  /** The changes of each field of an object that is there. */
  properties({ properties = {}, required = [] }: StructuralSchema, { object, path }: Place): SchemaChanges {
    const fields = Object.entries(properties).map(([name, schema]) =>
      this.#field({ schema, isRequired: required.includes(name), object, path: [...path, name] }),
    );
    return {
      inOrder: fields.flatMap(({ inOrder }) => inOrder),
      byWeight: interleaved(fields.map(({ byWeight }) => byWeight)),
      unchanged: fields.flatMap(({ unchanged }) => unchanged),
    };
  }

  #field(field: Field): SchemaChanges {
    const { schema, path } = field;
    try {
      if (!saysWhatItHolds(schema)) return steps(field, [], { why: "the schema does not say what it holds" });
      const builtIn = builtInType(schema);
      if (builtIn !== undefined) return steps(field, [], { why: `of a ${builtIn}, Kubernetes allows less than the schema says` });
      if (schema.type !== "object") return this.#value(field);
      if (schema.additionalProperties !== undefined) return this.#map(field, schema.additionalProperties);
      return schema.maxProperties === 1 ? this.#union(field) : this.#object(field);
    } catch (error) {
      if (!(error instanceof SampleError)) throw error;
      return unchanged(path, error.problem);
    }
  }

  /** A single value, or a list: it is changed, and changed again, and in the end it is what it was. */
  #value(field: Field): SchemaChanges {
    const { schema, path } = field;
    const firstAllowed = (candidates: readonly JsonValue[]): readonly JsonValue[] =>
      candidates.filter((value) => this.#isAllowed(field, value)).slice(0, 1);
    const sample = (part: StructuralSchema, variant: number): JsonValue => this.#sample(part, path, variant);
    const present = valueOf(field);
    const first = present ?? firstValue({ schema, sample });
    const others = otherValues({ schema, present: first, sample, firstAllowed });
    return steps(field, present === undefined ? [...firstAllowed([first]), ...others] : others);
  }

  /** An entry is added, it gets another name, and it is removed. */
  #map(field: Field, entry: StructuralSchema | true): SchemaChanges {
    const [first = null, second = null] = ["first", "second"].map((name) =>
      this.#sample(entry === true ? {} : entry, [...field.path, name], 0),
    );
    const begun = valueOf(field) === undefined ? objectAt(this.#sample(field.schema, field.path, 0)) : {};
    const patches = [
      { ...begun, first },
      { ...begun, first: null, second },
    ];
    return steps(field, patches.every((patch) => this.#isAllowed(field, patch)) ? patches : [], { back: { first: null, second: null } });
  }

  /** Its fields are changed; what may be absent is switched on, off and on again. */
  #object(field: Field): SchemaChanges {
    const { schema, path, object, isRequired } = field;
    const present = valueOf(field);
    if (present !== undefined && isRequired) return this.properties(schema, { object, path });
    const value = present ?? this.#sample(schema, path, 0);
    const inside = this.properties(schema, { object: applyMergePatch(object, patchOf(path, value)), path });
    const off = change(path, null);
    const [first] = inside.byWeight;
    if (present === undefined && first !== undefined && Object.keys(objectAt(value)).length === 0) {
      // An object without fields says little: it is there as soon as one of them is.
      const again = { field: path.join("."), patch: first.patch };
      return { ...inside, inOrder: [...inside.inOrder, off, again], byWeight: interleaved([inside.byWeight, [off, again]]) };
    }
    const on = present === undefined ? [change(path, value)] : [];
    const toggles = [off, ...(schema.default === undefined ? [change(path, value)] : [])];
    return {
      inOrder: [...on, ...inside.inOrder, ...toggles],
      byWeight: [...on, ...interleaved([toggles, inside.byWeight])],
      unchanged: inside.unchanged,
    };
  }

  /** Each of its fields takes the place of the one before, and in the end the first is there again. */
  #union(field: Field): SchemaChanges {
    const { schema, path, object, isRequired } = field;
    const { properties = {} } = schema;
    const present = valueOf(field);
    const held = objectAt(present ?? this.#sample(schema, path, 0));
    const names = Object.keys(properties).toSorted((left, right) => Number(right in held) - Number(left in held));
    const none = Object.fromEntries(names.map((name) => [name, null]));
    const options = names.map((name, index) => {
      const option = properties[name] ?? {};
      const chosen = { [name]: held[name] ?? this.#sample(option, [...path, name], 0) };
      const patch = { ...none, ...chosen };
      const begun = applyMergePatch(object, patchOf(path, patch));
      const inside = this.properties({ properties: { [name]: option }, required: [name] }, { object: begun, path });
      return { patch, inside, choice: index > 0 ? [change(path, patch)] : present === undefined ? [change(path, chosen)] : [] };
    });
    const [first, ...others] = options;
    const end = [
      ...(first === undefined || others.length === 0 ? [] : [change(path, first.patch)]),
      ...(isRequired ? [] : [change(path, null)]),
    ];
    return {
      inOrder: [...options.flatMap(({ choice, inside }) => [...choice, ...inside.inOrder]), ...end],
      byWeight: [
        ...(first?.choice ?? []),
        ...interleaved([...others.map(({ choice, inside }) => [...choice, ...inside.byWeight]), end, first?.inside.byWeight ?? []]),
      ],
      unchanged: options.flatMap(({ inside }) => inside.unchanged),
    };
  }

  #sample(schema: StructuralSchema, path: readonly string[], variant: number): JsonValue {
    return sampleValue(schema, { kind: this.#kind.kind, path: path.join("."), variant });
  }

  #isAllowed({ object, path }: Place, value: JsonValue): boolean {
    const changed = applyMergePatch(object, patchOf(path, value));
    return this.#kind.validate(changed).length === 0 && brokenRules(this.#kind, jsonOf(this.#kind.parse(changed))).length === 0;
  }
}

/** Whether a value can be made up: of an object that may have any fields it cannot. */
function saysWhatItHolds({ type, enum: members, items, properties, additionalProperties: entry, ...schema }: StructuralSchema): boolean {
  if (members !== undefined || schema["x-kubernetes-int-or-string"] === true) return true;
  if (type === "array") return items !== undefined && saysWhatItHolds(items);
  if (type === "object" && entry !== undefined) return entry !== true && saysWhatItHolds(entry);
  if (type === "object") return properties !== undefined || schema["x-kubernetes-preserve-unknown-fields"] !== true;
  return type !== undefined;
}

/** The type by `schemaOf` that it is, or that its items or entries are: made-up values would not make a pod of a template. */
function builtInType({ title, items, additionalProperties: entry }: StructuralSchema): string | undefined {
  if (title !== undefined && structTable.propertiesOf(title) !== undefined) return title;
  const part = items ?? (entry === true ? undefined : entry);
  return part && builtInType(part);
}

/** What a field is set to, one after the other; in the end it is absent, or what it was. The first and the last of it matter most. */
function steps(field: Field, values: readonly JsonValue[], { back = valueOf(field), why = nothingElse }: StepOptions = {}): SchemaChanges {
  const { schema, path, isRequired } = field;
  const present = valueOf(field);
  const isRemovable = present !== undefined && !isRequired && schema.default === undefined;
  const closed = values.length > 0 ? [...values, isRequired ? (back ?? null) : null] : isRemovable ? [null, present] : [];
  const before = [present ?? null, ...closed];
  const different = closed.filter((value, index) => !structuralEqual(value, before[index]));
  if (different.length === 0) return unchanged(path, why);
  const inOrder = different.map((value) => change(path, value));
  return { inOrder, byWeight: [...inOrder.slice(0, 1), ...inOrder.slice(1).slice(-1), ...inOrder.slice(1, -1)], unchanged: [] };
}

interface StepOptions {
  /** What makes it what it was, where that is not the present value itself. */
  readonly back?: JsonValue | undefined;
  /** Why there may be no other value. */
  readonly why?: string;
}

const nothingElse = "no other value was found that the schema and its rules allow";

function unchanged(path: readonly string[], why: string): SchemaChanges {
  return { inOrder: [], byWeight: [], unchanged: [{ field: path.join("."), why }] };
}

function change(path: readonly string[], value: JsonValue): FieldChange {
  return { field: path.join("."), patch: patchOf(path, value) };
}

function patchOf(path: readonly string[], value: JsonValue): JsonObject {
  const [first = "", ...rest] = path;
  return { [first]: rest.length === 0 ? value : patchOf(rest, value) };
}

function valueOf({ object, path }: Place): JsonValue | undefined {
  return valueAt(object, ...path);
}

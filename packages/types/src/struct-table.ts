import { formatApiVersion, parseApiVersion } from "@kaji/core";
import type { GroupVersionKind, JsonValue } from "@kaji/core";
import type { ProtobufField, ProtobufTable } from "@kaji/core/protobuf";
import { parseFieldType } from "./field-type.ts";
import { structFacts, structRows } from "./generated/tables/structs.ts";

/** A field of a struct, with all that Go and OpenAPI say about it. */
export interface StructField extends ProtobufField {
  /** Whether OpenAPI requires it. */
  readonly required: boolean;
  /** As the Go tag has it: `merge`, `replace`, `retainKeys` or `merge,retainKeys`. */
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  /** How server-side apply tells the items of a list apart; absent means not at all, unless there is a patch strategy. */
  readonly listType?: "atomic" | "map" | "set";
  readonly listMapKeys?: readonly string[];
  /** Overrides the struct's own where the field holds a struct. */
  readonly mapType?: "atomic" | "granular";
  /** The default in OpenAPI, where a zero value only says that Go always has a value. No server fills it in. */
  readonly default?: JsonValue;
  /** The allowed values, of the items where the field is a list or map. */
  readonly enum?: readonly string[];
}

/** Fields of which at most one is set, and the field that says which. The values are the discriminator's. */
export interface StructUnion {
  readonly discriminator?: string;
  readonly "fields-to-discriminateBy": Readonly<Record<string, string>>;
}

/**
 * The structs behind the built-in kinds, by names such as `core.v1.PodSpec`: what protobuf, strict decoding, patches, apply and OpenAPI
 * need to know of a type. Each struct is parsed when it is first asked for.
 */
export class StructTable implements ProtobufTable {
  readonly #rowsText: string;
  readonly #factsText: string;
  #facts: Facts | undefined;
  #kinds: ReadonlyMap<string, readonly GroupVersionKind[]> | undefined;
  readonly #fields = new Map<string, readonly StructField[]>();
  readonly #properties = new Map<string, ReadonlyMap<string, StructField>>();

  /** Takes the texts as they are generated: a row for each struct, and what else there is to know, as JSON. */
  constructor(rows: string, facts: string) {
    this.#rowsText = rows;
    this.#factsText = facts;
  }

  /** The names of all structs, sorted. */
  names(): Iterable<string> {
    return this.#rowsText.split("\n").map((row) => row.slice(0, row.indexOf(" ")));
  }

  structOf(kind: GroupVersionKind): string | undefined {
    const { kinds } = this.#readFacts();
    const own = kinds.get(formatApiVersion(kind));
    return own && (structIn(own, kind.kind) ?? structIn(kinds.get("*"), kind.kind));
  }

  /** The kinds whose objects a struct holds, by group and version: one for most structs, none for parts, every version for `DeleteOptions`. */
  kindsOf(struct: string): readonly GroupVersionKind[] {
    this.#kinds ??= kindsByStruct(this.#readFacts().kinds);
    return this.#kinds.get(struct) ?? [];
  }

  fieldsOf(struct: string): readonly StructField[] | undefined {
    const known = this.#fields.get(struct);
    if (known !== undefined) return known;
    const json = findRow(this.#rowsText, struct);
    if (json === undefined) return undefined;
    const fields = (JSON.parse(json) as readonly FieldRow[]).map(parseField);
    this.#fields.set(struct, fields);
    return fields;
  }

  /** The fields by their JSON names, those of inline structs among them: all that may be in an object. */
  propertiesOf(struct: string): ReadonlyMap<string, StructField> | undefined {
    const known = this.#properties.get(struct);
    if (known !== undefined) return known;
    const fields = this.fieldsOf(struct);
    if (fields === undefined) return undefined;
    const properties = new Map(fields.flatMap((field) => this.#flatten(field)).map((field) => [field.name, field]));
    this.#properties.set(struct, properties);
    return properties;
  }

  /** Whether apply takes a struct as one value; undefined where nothing is said, which means it does not. */
  mapTypeOf(struct: string): "atomic" | "granular" | undefined {
    return this.#readFacts().mapTypes.get(struct);
  }

  unionsOf(struct: string): readonly StructUnion[] {
    return this.#readFacts().unions.get(struct) ?? [];
  }

  #flatten(field: StructField): readonly StructField[] {
    if (!field.inline || field.type.type !== "struct") return [field];
    return [...(this.propertiesOf(field.type.name)?.values() ?? [])];
  }

  #readFacts(): Facts {
    return (this.#facts ??= parseFacts(this.#factsText));
  }
}

/** Built once; nothing is parsed until somebody asks. */
export const structTable: StructTable = new StructTable(structRows, structFacts);

/** Maps, because keys such as `constructor` must be absent. */
interface Facts {
  readonly mapTypes: ReadonlyMap<string, "atomic" | "granular">;
  readonly unions: ReadonlyMap<string, readonly StructUnion[]>;
  /** By apiVersion and the package of their structs; kinds that every version has under `*`. */
  readonly kinds: ReadonlyMap<string, Packages>;
}

interface Json {
  readonly mapTypes: Readonly<Record<string, "atomic" | "granular">>;
  readonly unions: Readonly<Record<string, readonly StructUnion[]>>;
  readonly kinds: Readonly<Record<string, Packages>>;
}

/** The kinds of each package, which are the names of structs in it. */
type Packages = Readonly<Record<string, readonly string[]>>;

type FieldFacts = Pick<StructField, "patchStrategy" | "patchMergeKey" | "listType" | "listMapKeys" | "mapType" | "default" | "enum">;

/** Flags: `*` pointer, `?` omitempty, `0` omitzero, `+` inline, `!` required. After the type, `=` and Go's own words for it where they say more. */
type FieldRow = readonly [name: string, number: number, flags: string, type: string, facts?: FieldFacts];

/** The fields of a struct as JSON. Rows are sorted by the names that they begin with, so most of the text is never looked at. */
function findRow(rows: string, struct: string): string | undefined {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const start = rows.lastIndexOf("\n", Math.floor((low + high) / 2) - 1) + 1;
    const [space, end] = [rows.indexOf(" ", start), lineEnd(rows, start)];
    const name = rows.slice(start, space);
    if (name === struct) return rows.slice(space + 1, end);
    if (name < struct) low = end + 1;
    else high = start;
  }
  return undefined;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

function parseFacts(text: string): Facts {
  const { mapTypes, unions, kinds } = JSON.parse(text) as Json;
  return {
    mapTypes: new Map(Object.entries(mapTypes)),
    unions: new Map(Object.entries(unions)),
    kinds: new Map(Object.entries(kinds)),
  };
}

function structIn(packages: Packages = {}, kind: string): string | undefined {
  const found = Object.entries(packages).find(([, kinds]) => kinds.includes(kind));
  return found && `${found[0]}.${kind}`;
}

function structsOf(packages: Packages = {}): readonly (readonly [kind: string, struct: string])[] {
  return Object.entries(packages).flatMap(([name, kinds]) => kinds.map((kind) => [kind, `${name}.${kind}`] as const));
}

function kindsByStruct(kinds: Facts["kinds"]): ReadonlyMap<string, readonly GroupVersionKind[]> {
  const found = new Map<string, GroupVersionKind[]>();
  const everywhere = structsOf(kinds.get("*"));
  for (const [apiVersion, packages] of [...kinds].toSorted(([left], [right]) => (groupFirst(left) < groupFirst(right) ? -1 : 1))) {
    if (apiVersion === "*") continue;
    for (const [kind, struct] of [...structsOf(packages), ...everywhere]) {
      const known = found.get(struct) ?? [];
      known.push({ ...parseApiVersion(apiVersion), kind });
      found.set(struct, known);
    }
  }
  return found;
}

/** So that the core group, which is the empty text, comes first. */
function groupFirst(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
}

function parseField([name, number, flags, typeText, facts]: FieldRow): StructField {
  const [type = "", goType] = typeText.split("=");
  const field = {
    name,
    number,
    type: parseFieldType(type),
    ...(goType === undefined ? {} : { goType }),
    pointer: flags.includes("*"),
    omitEmpty: flags.includes("?"),
    omitZero: flags.includes("0"),
    inline: flags.includes("+"),
    required: flags.includes("!"),
  };
  const zero = facts !== undefined && "default" in facts ? undefined : impliedDefault(field);
  return { ...field, ...(zero === undefined ? {} : { default: zero }), ...facts };
}

/** Where Go always has a value and always writes it, OpenAPI has the zero value for a default. */
function impliedDefault({ type, pointer, omitEmpty }: ProtobufField): JsonValue | undefined {
  if (pointer) return undefined;
  if (type.type === "struct") return {};
  return omitEmpty ? undefined : zeros.get(type.type);
}

const zeros: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["string", ""],
  ["bool", false],
  ["int32", 0],
  ["int64", 0],
]);

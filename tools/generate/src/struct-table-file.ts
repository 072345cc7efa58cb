import type { GoKind } from "./go-facts.ts";
import type { FieldFact, StructFact, TypeFact } from "./struct-facts.ts";
import { shortName } from "./struct-names.ts";

/**
 * The table of structs as a module that exports texts: parsing a text is much faster than evaluating literals, and happens only when somebody
 * asks, for each struct by itself. `packages/types/src/struct-table.ts` reads it and describes the format.
 */
export function structTableFile(structs: readonly StructFact[], kinds: readonly GoKind[]): string {
  const rows = structs.map(({ name, fields }) => `${name} ${JSON.stringify(fields.map(fieldRow))}`).join("\n");
  const sections = [
    section(
      "mapTypes",
      structs.flatMap(({ name, mapType }) => (mapType === undefined ? [] : [[name, mapType] as const])),
    ),
    section(
      "unions",
      structs.flatMap(({ name, unions }) => (unions === undefined ? [] : [[name, unions] as const])),
    ),
    section("kinds", kindRows(kinds)),
  ];
  const json = `{${sections.join(",")}}`;
  return [
    constant("structRows", "The structs behind the built-in kinds, one on each line: its name, and its fields as JSON.", rows),
    constant("structFacts", "What else there is to know of them, and the kinds whose objects they hold, as JSON.", json),
  ].join("\n");
}

function constant(name: string, meaning: string, text: string): string {
  if (/[\\`]|\$\{/.test(text)) throw new Error("the table holds a character that a template literal would interpret");
  return `/** ${meaning} */\nexport const ${name}: string = \`${text}\`;\n`;
}

function fieldRow(field: FieldFact): readonly unknown[] {
  const { patchStrategy, patchMergeKey, listType, listMapKeys, mapType, enum: values } = field;
  const facts = {
    ...(patchStrategy === undefined ? {} : { patchStrategy }),
    ...(patchMergeKey === undefined ? {} : { patchMergeKey }),
    ...(listType === undefined ? {} : { listType }),
    ...(listMapKeys === undefined ? {} : { listMapKeys }),
    ...(mapType === undefined ? {} : { mapType }),
    ...("default" in field ? { default: field.default } : {}),
    ...(values === undefined ? {} : { enum: values }),
  };
  const row = [field.name, field.number, flags(field), fieldTypeText(field)];
  return Object.keys(facts).length === 0 ? row : [...row, facts];
}

function flags({ pointer, omitEmpty, omitZero, inline, required }: FieldFact): string {
  return [pointer && "*", omitEmpty && "?", omitZero && "0", inline && "+", required && "!"].filter((flag) => flag !== false).join("");
}

function fieldTypeText({ type, goType }: FieldFact): string {
  return goType === undefined ? typeText(type) : `${typeText(type)}=${goType}`;
}

function typeText(type: TypeFact): string {
  switch (type.kind) {
    case "leaf":
    case "struct":
      return type.name;
    case "schemaOr":
      return `${type.name} ${type.schema}`;
    case "list":
      return `${type.wrapped ? "<>" : "[]"}${typeText(type.items)}`;
    case "map":
      return `{}${typeText(type.values)}`;
    default:
      return type satisfies never;
  }
}

/** The kinds of each version by the package of their structs; those of every version, such as `DeleteOptions`, under `*`. */
function kindRows(kinds: readonly GoKind[]): readonly (readonly [string, unknown])[] {
  const versions = Map.groupBy(kinds, ({ group, version }) => (group === "" ? version : `${group}/${version}`));
  const everywhere = new Set(
    versions.get("apps/v1")?.flatMap(({ kind, struct }) => (shortName(struct).startsWith("meta.v1.") ? [kind] : [])),
  );
  const rows: (readonly [string, unknown])[] = [["*", { "meta.v1": [...everywhere].toSorted() }]];
  for (const [apiVersion, members] of versions) {
    const own = members.filter(({ kind, struct }) => !everywhere.has(kind) || !shortName(struct).startsWith("meta.v1."));
    const byPackage = Map.groupBy(own, ({ struct }) => shortName(struct).slice(0, shortName(struct).lastIndexOf(".")));
    rows.push([apiVersion, Object.fromEntries(Array.from(byPackage, ([name, list]) => [name, list.map(({ kind }) => kind)]))]);
  }
  for (const { kind, struct } of kinds) {
    if (!struct.endsWith(`.${kind}`)) throw new Error(`objects of the kind ${kind} are structs of another name: ${struct}`);
  }
  return rows;
}

/** One entry per line, so that a difference between two versions of Kubernetes can be read. */
function section(name: string, entries: readonly (readonly [string, unknown])[]): string {
  const lines = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `\n${JSON.stringify(name)}:{\n${lines.join(",\n")}\n}`;
}

import { isJsonObject, jsonOf, structuralEqual } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import type { DefinedVersion, ResourceDefinition } from "@kaji/core/define";
import { CommandError } from "../command.ts";
import type { KindNames } from "./kind-names.ts";

type Schema = ReturnType<ResourceDefinition["crd"]>["spec"]["versions"][number]["schema"]["openAPIV3Schema"];

/** A field of one version, with what the compiler knows of it. */
interface Field {
  readonly schema: Schema;
  /** Whether it may be absent, or anything on the way to it. */
  readonly isOptional: boolean;
  /** What it is in the sample of its version, if it is there. */
  readonly sample: JsonValue | undefined;
}

/** The file that converts a resource between its versions, and its test: what is the same in both is mapped, what only one has is kept, and what has another form is declared lossy, for the author to map. */
export function conversionFiles(names: KindNames, module: string, resource: ResourceDefinition): ReadonlyMap<string, string> {
  const { kind, file, variable } = names;
  const { versions } = resource.crd().spec;
  const hub = versions.find(({ name }) => name === resource.version);
  const others = versions.filter((version) => version !== hub);
  if (hub === undefined || others.length === 0) {
    throw new CommandError(
      `${kind} has the version ${resource.version} only; add the others to its definition, as in versions: { v1alpha1: { spec: z.object({ … }) } }, and run this again`,
    );
  }
  const mappings = others.map(({ name, schema }) => {
    const sides = { spoke: name, hub: hub.name };
    const lines = mappingsOf(rootOf(schema.openAPIV3Schema, resource.versions[name]), rootOf(hub.schema.openAPIV3Schema, resource), sides);
    const used = ["same", "keep", "lossy"].filter((method) => lines.some((line) => line.includes(`${method}(`)));
    return `  ${name}: ({ ${used.join(", ")} }) => [\n${lines.map((line) => `    ${line},\n`).join("")}  ],\n`;
  });
  const text = `import { convert } from "kaji";
import { ${kind} } from "${module}";

export const ${variable}Conversion = convert(${kind}, {
${mappings.join("")}});
`;
  const test = `import { test } from "node:test";
import { checkConversion } from "@kaji/testing";
import { ${variable}Conversion } from "./${file}-conversion.ts";

test("a ${kind} comes back from another version as it was", () => {
  checkConversion(${variable}Conversion);
});
`;
  return new Map([
    [`src/${file}-conversion.ts`, text],
    [`src/${file}-conversion.test.ts`, test],
  ]);
}

/** The versions that are mapped. */
interface Sides {
  readonly spoke: string;
  readonly hub: string;
}

/** The mappings of all fields below a path. */
function mappingsOf(spoke: Field, hub: Field, sides: Sides, path = ""): readonly string[] {
  const [ours, theirs] = [fieldsOf(spoke), fieldsOf(hub)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((name) => {
    const place = path === "" ? name : `${path}.${name}`;
    const [before, after] = [ours.get(name), theirs.get(name)];
    if (before !== undefined && after !== undefined) {
      if (before.isOptional === after.isOptional && structuralEqual(shapeOf(before.schema), shapeOf(after.schema)))
        return [`same("${place}")`];
      if (hasFields(before) && hasFields(after)) return mappingsOf(before, after, sides, place);
    }
    const quoted = JSON.stringify(place);
    if (before !== undefined && after !== undefined) {
      const because = "it has another form; map() would keep it";
      return [
        `lossy({ spoke: ${quoted}, because: "${because}"${valueText(before)} })`,
        `lossy({ hub: ${quoted}, because: "${because}"${valueText(after)} })`,
      ];
    }
    return [
      ...(before === undefined
        ? []
        : [`${madeUpText(before, sides.hub, `move(${quoted}, "…")`)}keep({ spoke: ${quoted}${valueText(before)} })`]),
      ...(after === undefined
        ? []
        : [`${madeUpText(after, sides.spoke, `move("…", ${quoted})`)}keep({ hub: ${quoted}${valueText(after)} })`]),
    ];
  });
}

/** A comment where a value follows from nothing that a user has written. Objects of the other version would have it from then on. */
function madeUpText({ schema, isOptional }: Field, other: string, instead: string): string {
  if (isOptional || schema.default !== undefined) return "";
  return `// Made up, for objects that were made in ${other}: if those have it under another name, write ${instead} instead.\n    `;
}

/** What stands in for a field that must be there, in objects that come from where it is not. */
function valueText({ schema, isOptional, sample }: Field): string {
  return isOptional ? "" : `, value: ${JSON.stringify(schema.default ?? sample ?? emptyOf(schema))}`;
}

/** The parts that a conversion is about. */
function rootOf(schema: Schema, version: DefinedVersion | undefined): Field {
  const { apiVersion: _, kind: __, metadata: ___, ...properties } = schema.properties ?? {};
  return { schema: { ...schema, properties }, isOptional: false, sample: version === undefined ? undefined : jsonOf(version.sample()) };
}

function hasFields({ schema }: Field): boolean {
  return Object.keys(schema.properties ?? {}).length > 0;
}

function fieldsOf({ schema, isOptional, sample }: Field): ReadonlyMap<string, Field> {
  const { properties = {}, required = [] } = schema;
  return new Map(
    Object.entries(properties).map(([name, field]) => {
      const isThere = required.includes(name) || field.default !== undefined;
      const inSample = isJsonObject(sample) && Object.hasOwn(sample, name) ? sample[name] : undefined;
      return [name, { schema: field, isOptional: isOptional || !isThere, sample: inSample }];
    }),
  );
}

/** Something that a field may be before the author of the conversion has said what it is. */
function emptyOf({ type, enum: [first] = [], minimum = 0 }: Schema): JsonValue {
  if (first !== undefined) return first;
  switch (type) {
    case "boolean":
      return false;
    case "integer":
    case "number":
      return Math.max(0, minimum);
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "";
  }
}

/** What of a schema the compiler sees: limits and descriptions make no other type. */
function shapeOf(schema: Schema): object {
  const { type = "", enum: values = [], nullable = false, properties = {}, required = [], items } = schema;
  const entry = schema.additionalProperties === true ? {} : schema.additionalProperties;
  const isThere = (name: string, field: Schema): boolean => required.includes(name) || field.default !== undefined;
  return {
    type,
    values,
    nullable,
    free: schema["x-kubernetes-preserve-unknown-fields"] === true || schema["x-kubernetes-int-or-string"] === true,
    fields: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, [isThere(name, field), shapeOf(field)]])),
    items: items === undefined ? null : shapeOf(items),
    entries: entry === undefined ? null : shapeOf(entry),
  };
}

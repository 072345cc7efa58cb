import { CommandError } from "../command.ts";
import { zodText } from "./zod-text.ts";
import type { TypeSchema } from "./zod-text.ts";

/** A CustomResourceDefinition as far as types need it. */
export interface TypedDefinition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string; readonly singular?: string };
    readonly versions: readonly TypedVersion[];
  };
}

/** One of its versions. */
export interface TypedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: TypeSchema };
}

/** By its first line a file is known to be made by this command, and may be made anew. */
export const firstLine = "// Made by kaji types: run it again when the definition changes.";

/** The source of a resource that somebody else defines: typed, and not for the operator to install. */
export function definitionText(definition: TypedDefinition, wanted: string | undefined): string {
  const { group, scope, names } = definition.spec;
  const { name: version, schema } = versionOf(definition, wanted);
  const { description, properties = {} } = schema?.openAPIV3Schema ?? {};
  const { spec, status, apiVersion: _, kind: __, metadata: ___, ...others } = properties;
  const fields = Object.keys(others).length === 0 ? undefined : zodFields(others, schema?.openAPIV3Schema?.required ?? []);
  const lines = [
    `group: ${JSON.stringify(group)}`,
    `version: ${JSON.stringify(version)}`,
    `kind: ${JSON.stringify(names.kind)}`,
    `plural: ${JSON.stringify(names.plural)}`,
    ...(scope === "Cluster" ? ['scope: "Cluster"'] : []),
    ...(description === undefined ? [] : [`description: ${JSON.stringify(description)}`]),
    ...(spec === undefined ? [] : [`spec: ${zodText(withoutDescription(spec), 1)}`]),
    ...(fields === undefined ? [] : [`fields: ${fields}`]),
    ...(status === undefined ? [] : [`status: ${zodText(withoutDescription(status), 1)}`]),
  ];
  const body = `const definition = defineResource({\n${lines.map((line) => `  ${line},\n`).join("")}});`;
  const imported = ["defineResource", ...(/\bk\./.test(body) ? ["k"] : []), ...(/\bz\./.test(body) ? ["z"] : [])];
  return `${firstLine}
import { ${imported.join(", ")} } from "kaji";

${body}

/** ${names.kind} (${group}/${version}). */
export const ${names.kind} = definition.versions.${version};
`;
}

/** The version that is wanted, else the one that is stored. */
function versionOf({ metadata, spec }: TypedDefinition, wanted: string | undefined): TypedVersion {
  const served = spec.versions.filter((each) => each.served);
  const found =
    served.find(({ name, storage }) => (wanted === undefined ? storage : name === wanted)) ??
    (wanted === undefined ? served[0] : undefined);
  if (found === undefined) {
    throw new CommandError(
      `${metadata.name} is not served in ${wanted ?? "any version"}; there is ${served.map(({ name }) => name).join(", ") || "none"}`,
    );
  }
  return found;
}

function zodFields(properties: Readonly<Record<string, TypeSchema>>, required: readonly string[]): string {
  return zodText({ type: "object", properties, required }, 1).replace(/^z\.object\((\{[\s\S]*\})\)$/, "$1");
}

function withoutDescription({ description: _, ...schema }: TypeSchema): TypeSchema {
  return schema;
}

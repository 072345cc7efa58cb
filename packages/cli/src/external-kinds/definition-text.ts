import { CommandError } from "../command.ts";
import { kindNames } from "../create/kind-names.ts";
import { versionLines } from "./version-lines.ts";
import type { VersionExtras } from "./version-lines.ts";
import { literalText, zodText } from "./zod-text.ts";
import type { TypeSchema } from "./zod-text.ts";

/** A CustomResourceDefinition as far as types need it. */
export interface TypedDefinition {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly singular?: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly TypedVersion[];
  };
}

/** One of its versions. */
export interface TypedVersion extends VersionExtras {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: TypeSchema & { readonly "x-kubernetes-validations"?: readonly DefinedRule[] } };
}

/** A rule about whole objects. */
interface DefinedRule {
  readonly rule: string;
  readonly fieldPath?: string;
}

/** Groups of the Kubernetes project itself must have it. */
const approval = "api-approved.kubernetes.io";

/** By its first line a file is known to be made by this command, and may be made anew. */
export const firstLine = "// Made by kaji types: run it again when the definition changes.";

/** The source of a resource that another operator defines: typed, and not for the operator to install. */
export function definitionText(definition: TypedDefinition, wanted: string | undefined): string {
  const {
    group,
    names: { kind },
  } = definition.spec;
  const { name: version, schema, ...extras } = versionOf(definition, wanted);
  const { description, properties = {}, required = [], "x-kubernetes-validations": rules = [] } = schema?.openAPIV3Schema ?? {};
  const { spec, status, apiVersion: _, kind: __, metadata, ...others } = properties;
  const limits = Object.fromEntries(
    Object.entries(metadata?.properties ?? {}).filter(([name]) => name === "name" || name === "generateName"),
  );
  const lines = [
    ...namingLines(definition, version),
    ...(description === undefined ? [] : [`description: ${JSON.stringify(description)}`]),
    ...(Object.keys(limits).length === 0 ? [] : [`names: ${zodFields(limits, Object.keys(limits))}`]),
    ...(spec === undefined ? [] : [`spec: ${zodText(spec, 1)}${required.includes("spec") ? "" : ".optional()"}`]),
    ...(Object.keys(others).length === 0 ? [] : [`fields: ${zodFields(others, required)}`]),
    ...(status === undefined ? [] : [`status: ${zodText(status, 1)}`]),
    ...versionLines(extras, schema?.openAPIV3Schema ?? {}),
    ...(rules.length === 0 ? [] : [`rules: ${literalText(rules.map(ruleOf))}`]),
  ];
  const variable = `${kindNames({ group, version, kind }).variable}Definition`;
  const body = `export const ${variable} = defineResource({\n${lines.map((line) => `  ${line},\n`).join("")}});`;
  const imported = ["defineResource", ...(/\bk\./.test(body) ? ["k"] : []), ...(/\bz\./.test(body) ? ["z"] : [])];
  return `${firstLine}
import { ${imported.join(", ")} } from "kaji";
import type { ObjectOf } from "kaji";

/** The definition${aloneIn(definition, version)}, which is not the operator's to install; a test does it with testCluster({ …, resources: [${variable}] }). */
${body}

/** ${kind} (${group}/${version}). */
export const ${kind} = ${variable}.versions.${version};
export type ${kind} = ObjectOf<typeof ${kind}>;
`;
}

/** Says which version is written, where a server has others. */
function aloneIn({ spec: { versions } }: TypedDefinition, version: string): string {
  const others = versions.filter(({ name, served }) => served && name !== version).map(({ name }) => name);
  return others.length === 0 ? "" : ` in ${version} alone (it is served in ${others.join(" and ")}, too; --version writes another)`;
}

/** What it is called, and where its objects are. */
function namingLines({ metadata, spec: { group, scope, names } }: TypedDefinition, version: string): readonly string[] {
  const { kind, plural, singular = kind.toLowerCase(), shortNames, categories } = names;
  const { [approval]: approved } = metadata.annotations ?? {};
  return [
    `group: ${JSON.stringify(group)}`,
    `version: ${JSON.stringify(version)}`,
    `kind: ${JSON.stringify(kind)}`,
    `plural: ${JSON.stringify(plural)}`,
    ...(singular === kind.toLowerCase() ? [] : [`singular: ${JSON.stringify(singular)}`]),
    ...(shortNames === undefined ? [] : [`shortNames: ${literalText(shortNames)}`]),
    ...(categories === undefined ? [] : [`categories: ${literalText(categories)}`]),
    ...(approved === undefined ? [] : [`annotations: ${literalText({ [approval]: approved })}`]),
    ...(scope === "Cluster" ? ['scope: "Cluster"'] : []),
  ];
}

/** The version that is wanted, else the one that is stored. */
export function versionOf({ metadata, spec }: TypedDefinition, wanted: string | undefined): TypedVersion {
  const served = spec.versions.filter((each) => each.served);
  const found =
    served.find(({ name, storage }) => (wanted === undefined ? storage : name === wanted)) ??
    (wanted === undefined ? served[0] : undefined);
  if (found === undefined) {
    throw new CommandError(
      `${metadata.name} is not served in ${wanted ?? "any version"}; there is ${served.map(({ name }) => name).join(", ") || "none"}`,
    );
  }
  if (found.schema?.openAPIV3Schema === undefined) {
    throw new CommandError(
      `${metadata.name} has no schema.openAPIV3Schema in ${found.name}, which API servers refuse; see whether one of its names is misspelt`,
    );
  }
  return found;
}

function zodFields(properties: Readonly<Record<string, TypeSchema>>, ofAll: readonly string[]): string {
  const required = ofAll.filter((name) => Object.hasOwn(properties, name));
  return zodText({ type: "object", properties, required }, 1).replace(/^z\.object\((\{[\s\S]*\})\)$/, "$1");
}

/** In a definition paths begin without a dot. */
function ruleOf({ fieldPath, ...rest }: DefinedRule): object {
  return { ...rest, ...(fieldPath === undefined ? {} : { fieldPath: fieldPath.replace(/^\./, "") }) };
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { arrayAt, textAt, unlessGone, valueAt } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { clusterFlags, clusterFlagsHelp, withCluster } from "../cluster-session.ts";
import { CommandError, UsageError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { readText } from "../read-text.ts";
import { kindNames } from "../create/kind-names.ts";
import { writeFolder } from "../manifests/manifest-folder.ts";
import { readObjectFiles } from "../object-files.ts";
import { isSet, oneOf, optionalText, textOf } from "../option-values.ts";
import { definitionText, firstLine, versionOf } from "./definition-text.ts";
import type { TypedDefinition } from "./definition-text.ts";
import { lossesOf } from "./losses.ts";

/** `kaji types`: resources that others define, typed. */
export const typesCommand: Command = {
  help: `Usage: kaji types SOURCE [options]

Writes typed definitions of resources that others define, such as cert-manager's, so that a controller can read, own and write them. They are not installed with the
operator. SOURCE is a file or folder with CustomResourceDefinitions in YAML, by its path or as a file: URL, or with --live the name of one in a cluster.

Options:
  --out FOLDER           write a file for each kind there; without it they go to stdout
  --version VERSION      the version to write (default: the one that is stored)
  --live                 SOURCE is the name of a definition in a cluster, such as certificates.cert-manager.io
${clusterFlagsHelp}  --output FORMAT        text or json, of what is said about files (default text)
  --verbose              show where an error comes from

Examples:
  kaji types cert-manager.crds.yaml --out src
  kaji types --live certificates.cert-manager.io --out src
`,
  positionals: ["source"],
  options: {
    ...clusterFlags,
    source: { type: "string" },
    out: { type: "string" },
    version: { type: "string" },
    live: { type: "boolean" },
    output: { type: "string" },
  },
  run: types,
};

async function types(values: OptionValues, terminal: Terminal): Promise<void> {
  if (values["source"] === undefined) throw new UsageError("which source? kaji types --help has examples");
  const output = oneOf(values, "output", ["text", "json"]);
  const source = pathOf(textOf(values, "source", ""));
  const definitions = isSet(values, "live") ? await fromCluster(values, terminal, source) : fromFiles(source);
  if (definitions.length === 0) throw new CommandError(`there is no CustomResourceDefinition in ${source}`);
  const version = optionalText(values, "version");
  const folder = optionalText(values, "out");
  const texts = definitions.map((each) => definitionText(each, version));
  for (const each of definitions) for (const loss of lossesOf(each, versionOf(each, version))) terminal.err(`warning: ${loss}\n`);
  if (folder === undefined) return terminal.out(texts.join("\n"));
  const names = definitions.map((each) => fileName(each, definitions));
  for (const [index, { spec }] of definitions.entries()) requireOurs(join(folder, names[index] ?? ""), spec);
  const answer = writeFolder(folder, new Map(names.map((name, index) => [name, texts[index] ?? ""])));
  const lines = answer.changed.map((path) => `wrote ${path}\n`).join("");
  terminal.out(output === "json" ? `${JSON.stringify(answer)}\n` : lines || "nothing to change\n");
}

/** Kinds of the same name in different groups go by their group, too. */
function fileName({ spec: { group, names } }: TypedDefinition, all: readonly TypedDefinition[]): string {
  const isShared = all.some(({ spec }) => spec.names.kind === names.kind && spec.group !== group);
  return `${kindNames({ group, version: "", kind: names.kind }, isShared ? group.split(".", 1)[0] : undefined).file}.ts`;
}

/** The path of a source that may be a URL. */
function pathOf(source: string): string {
  if (/^https?:/.test(source)) throw new UsageError(`${source} is not on this machine; download it first: curl -LO ${source}`);
  if (!source.startsWith("file:")) return source;
  try {
    return fileURLToPath(source);
  } catch (error) {
    throw new UsageError(`${source} is not the URL of a file, such as file:///home/you/crds.yaml`, { cause: error });
  }
}

async function fromCluster(values: OptionValues, terminal: Terminal, name: string): Promise<readonly TypedDefinition[]> {
  const found: TypedDefinition[] = [];
  await withCluster(values, { terminal }, async ({ client, cluster, signal }) => {
    const definition = await unlessGone(client.get(CustomResourceDefinition, name, { signal }));
    if (definition === undefined) {
      throw new CommandError(
        `${cluster} has no definition ${name}; kubectl get crd lists those that it has, such as certificates.cert-manager.io`,
      );
    }
    found.push(definition as TypedDefinition);
  });
  return found;
}

function fromFiles(source: string): readonly TypedDefinition[] {
  if (!existsSync(source)) throw new CommandError(`there is no ${source}; --live takes the name of a definition in a cluster`);
  return readObjectFiles(source).flatMap(({ file, value }) => {
    if (!isDefinition(value)) return [];
    requireWhole(file, value);
    return [value];
  });
}

/** What every definition has, since an API server refuses one that lacks it. */
const needed = [
  ["metadata", "name"],
  ["spec", "group"],
  ["spec", "names", "kind"],
  ["spec", "names", "plural"],
] as const;

function requireWhole(file: string, definition: JsonObject): void {
  const [version] = arrayAt(definition, "spec", "versions");
  const missing = needed.find((path) => !isText(valueAt(definition, ...path)))?.join(".");
  const lacks = missing ?? (isText(valueAt(version, "name")) ? undefined : "spec.versions.0.name");
  if (lacks !== undefined) throw new CommandError(`a CustomResourceDefinition in ${file} has no ${lacks}`);
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === "string";
}

function isDefinition(value: JsonValue): value is JsonObject & TypedDefinition {
  if (textAt(value, "kind") !== "CustomResourceDefinition" || valueAt(value, "spec") === undefined) return false;
  return textAt(value, "apiVersion") === "apiextensions.k8s.io/v1";
}

/** Files that a person has written are left alone, and so are those of another kind. */
function requireOurs(path: string, { group, names: { kind } }: TypedDefinition["spec"]): void {
  if (!existsSync(path)) return;
  const text = readText(path).replaceAll("\r\n", "\n");
  if (!text.startsWith(firstLine))
    throw new CommandError(`${path} exists and was not made by kaji types; move it away, or choose another --out`);
  if (!text.includes(`\n  group: ${JSON.stringify(group)},\n`))
    throw new CommandError(`${path} has the ${kind} of another group than ${group}; choose another --out`);
}

import { isJsonArray, isJsonObject, stringifyJson } from "@kaji/core";
import type { GroupVersion, JsonObject, JsonValue } from "@kaji/core";
import type { Operation } from "./operation.ts";

/** A definition as it stands in a document, and the names of the definitions it refers to. */
interface WrittenDefinition {
  readonly references: readonly string[];
  /** A kind of every version says so only of the core group and of the versions that the document is about. */
  readonly textFor: (versions: readonly GroupVersion[]) => string;
}

/** Finds a definition by its name; undefined when there is none. */
type FindDefinition = (name: string) => WrittenDefinition | undefined;

/** Definitions by name, each written when it is first asked for: documents have most of theirs in common. */
export function writtenDefinitions(define: (name: string) => JsonObject | undefined): FindDefinition {
  const known = new Map<string, WrittenDefinition | undefined>();
  return (name) => {
    const written = known.get(name);
    if (written !== undefined || known.has(name)) return written;
    const definition = define(name);
    const fresh = definition && writtenDefinition(definition);
    known.set(name, fresh);
    return fresh;
  };
}

/** What operations refer to, and all that this refers to in turn, as the members of a JSON object. */
export function definitionsFor(operations: readonly Operation[], find: FindDefinition, versions: readonly GroupVersion[]): string {
  const found = new Map<string, WrittenDefinition>();
  const open = operations.flatMap(({ answer, body }) => [answer, body?.definition].filter((name) => name !== undefined));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const definition = found.has(name) ? undefined : find(name);
    if (definition === undefined) continue;
    found.set(name, definition);
    open.push(...definition.references);
  }
  return [...found]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, definition]) => `${JSON.stringify(name)}:${definition.textFor(versions)}`)
    .join(",");
}

const referencePattern = /"\$ref":"#\/(?:components\/schemas|definitions)\/([^"]+)"/g;
const kindsKey = "x-kubernetes-group-version-kind";

function writtenDefinition(definition: JsonObject): WrittenDefinition {
  const text = stringifyJson(definition);
  const references = Array.from(text.matchAll(referencePattern), ([, name = ""]) => name);
  const { [kindsKey]: kinds, ...rest } = definition;
  if (!isJsonArray(kinds) || kinds.length < 2) return { references, textFor: () => text };
  return { references, textFor: (versions) => stringifyJson({ ...rest, [kindsKey]: kinds.filter((kind) => isMeant(kind, versions)) }) };
}

function isMeant(kind: JsonValue, versions: readonly GroupVersion[]): boolean {
  if (!isJsonObject(kind)) return false;
  return kind["group"] === "" || versions.some(({ group, version }) => group === kind["group"] && version === kind["version"]);
}

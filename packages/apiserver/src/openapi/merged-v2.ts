import { isJsonObject, objectAt, structuralEqual } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";

/** What another server says in OpenAPI v2 of some of its paths. */
export interface RemoteDocument {
  /** The whole of what it says. */
  readonly document: JsonObject;
  /** The paths that are its to describe: this one, and all below it. */
  readonly path: string;
}

/** A document of v2 with what other servers say of their paths. What is described already stays as it is; a definition of the same name that says something else gets another name. */
export function mergedV2(own: JsonObject, remotes: readonly RemoteDocument[]): JsonObject {
  const paths = new Map(entriesOf(objectAt(own, "paths")));
  const definitions = new Map(entriesOf(objectAt(own, "definitions")));
  for (const remote of remotes) {
    const added = entriesOf(objectAt(remote.document, "paths")).filter(([path]) => isBelow(path, remote.path) && !paths.has(path));
    const needed = reachable(Object.fromEntries(added), objectAt(remote.document, "definitions"));
    const names = new Map(Array.from(needed, ([name, definition]) => [name, freeName(name, definition, definitions)]));
    for (const [path, operations] of added) paths.set(path, renamed(operations, names));
    for (const [name, definition] of needed) definitions.set(names.get(name) ?? name, renamed(definition, names));
  }
  return { ...own, paths: sorted(paths), definitions: sorted(definitions) };
}

const prefix = "#/definitions/";

/** The definitions that something refers to, and all that they refer to in turn. */
function reachable(from: JsonValue, definitions: JsonObject): ReadonlyMap<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  const open = [...referencesIn(from)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (definition === undefined || found.has(name)) continue;
    found.set(name, definition);
    open.push(...referencesIn(definition));
  }
  return found;
}

function* referencesIn(value: JsonValue): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of entriesOf(value)) {
    if (key === "$ref" && typeof part === "string" && part.startsWith(prefix)) yield part.slice(prefix.length);
    else yield* referencesIn(part);
  }
}

/** Its own name, if it is free or stands for the same definition; else the first of `NAME_v2`, `NAME_v3` and so on for which that holds. */
function freeName(name: string, definition: JsonValue, taken: ReadonlyMap<string, JsonValue>): string {
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name}_v${count}`;
    const other = taken.get(candidate);
    if (other === undefined || structuralEqual(other, definition)) return candidate;
  }
}

function renamed(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (!isJsonObject(value)) return value.map((item) => renamed(item, names));
  return Object.fromEntries(
    entriesOf(value).map(([key, part]) => {
      const name = key === "$ref" && typeof part === "string" && part.startsWith(prefix) ? names.get(part.slice(prefix.length)) : undefined;
      return [key, name === undefined ? renamed(part, names) : `${prefix}${name}`];
    }),
  );
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** What is undefined is not there. */
function entriesOf(value: JsonObject | readonly JsonValue[]): readonly (readonly [string, JsonValue])[] {
  return Object.entries(value).flatMap(([key, part]) => (part === undefined ? [] : [[key, part] as const]));
}

function sorted(entries: ReadonlyMap<string, JsonValue>): JsonObject {
  return Object.fromEntries([...entries].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

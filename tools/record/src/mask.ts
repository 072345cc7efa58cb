import { isJsonArray, isJsonObject, stringifyJson } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { Answer, Exchange } from "./exchange.ts";
import { parseIfJson } from "./answer-body.ts";
import { mapStrings } from "./map-strings.ts";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const clusterIp = /\b10\.0\.\d+\.\d+\b/g;
/** Revisions that messages mention. */
const revisionInText =
  /(ResourceVersion in record \(|ResourceVersion in object meta: |Too large resource version: \d+, current: |too old resource version: \d+ \()\d+/g;
/** An object that a message quotes, as JSON in quotes. */
const quotedObject = /"\{(?:[^"\\]|\\.)*\}"/g;
/** A JSON web token. */
const token = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
/** Lists of rules, which come in the order of a hash table. */
const unordered: ReadonlySet<string> = new Set(["resourceRules", "nonResourceRules"]);
const age = /^(\d+[smhdy])+$/;
const nodePortInTable = /:3\d{4}(?=\/)/g;
/** The server names the volume for a pod's token by itself. */
const tokenVolume = "kube-api-access-";
/** What is appended to a name of which only the beginning was asked for. */
const suffix = "[bcdfghjklmnpqrstvwxz2456789]{5}";

/**
 * Takes out of a scenario's answers what differs from run to run, so that two runs can be compared. Identity stays visible: the first
 * uid that is seen becomes `<uid 1>` wherever it stands, and so do revisions. What a request said itself is left as it is.
 */
export function masked(exchanges: readonly Exchange[]): readonly Exchange[] {
  const mask = new Mask(stringifyJson(exchanges.map(({ request }) => request)));
  return exchanges.map(({ request, answer }) => ({ request, answer: mask.answer(answer) }));
}

class Mask {
  /** Everything the requests say. */
  readonly #said: string;
  readonly #uids = new Numbering("uid");
  readonly #revisions = new Numbering("revision");
  /** Names that the server completes. */
  readonly #generated: readonly RegExp[];

  constructor(said: string) {
    this.#said = said;
    const prefixes = [...said.matchAll(/"generateName":"([^"]+)"/g)].map(([, prefix = ""]) => prefix);
    this.#generated = [...new Set([...prefixes, tokenVolume])].map((prefix) => new RegExp(`(${RegExp.escape(prefix)})${suffix}\\b`, "g"));
  }

  answer({ warnings, body, ...rest }: Answer): Answer {
    const shown = mapStrings(this.#value(body, []), (text) => this.#text(text));
    return { ...rest, ...(warnings === undefined ? {} : { warnings: warnings.map((text) => this.#text(text)) }), body: shown };
  }

  /** Masks values that their place tells; `path` is of keys, the innermost last. */
  #value(value: JsonValue, path: readonly string[]): JsonValue {
    if (isJsonArray(value)) return value.filter((item) => !isLateBookmark(item)).map((item) => this.#value(item, path));
    if (!isJsonObject(value)) return this.#leaf(value, path);
    const shown = value["kind"] === "Table" ? maskedTable(value) : value;
    const isList = typeof shown["kind"] === "string" && (Array.isArray(shown["items"]) || Array.isArray(shown["rows"]));
    const isBookmark = shown["type"] === "BOOKMARK";
    const entries = Object.entries(shown).map(([key, item]): [string, JsonValue] => {
      if (item === undefined) return [key, null];
      if (isList && key === "metadata" && isJsonObject(item)) return [key, maskedListMetadata(item)];
      if (isBookmark && key === "object") return [key, maskedBookmark(item)];
      if (key === "managedFields" && isJsonArray(item)) return [key, inFixedOrder(item)];
      if (unordered.has(key) && isJsonArray(item)) return [key, item.toSorted(byText)];
      if (key === "causes" && isJsonArray(item)) return [key, item.every(isConflict) ? item.toSorted(byText) : item];
      return [key, this.#value(item, [...path, key])];
    });
    return Object.fromEntries(entries);
  }

  #leaf(value: JsonValue, path: readonly string[]): JsonValue {
    const key = path.at(-1);
    if (typeof value === "string" && key === "resourceVersion" && path.at(-2) === "metadata") return this.#revisions.of(value);
    if (key === "serverAddress") return "<address>";
    if (typeof value === "string" && key === "continue" && path.at(-2) === "metadata") return maskedToken(value);
    if (typeof value === "number" && (key === "nodePort" || key === "healthCheckNodePort") && !this.#said.includes(String(value)))
      return "<port>";
    return value;
  }

  #text(text: string): string {
    const unlessSaid = (mask: (found: string) => string) => (found: string) => (this.#said.includes(found) ? found : mask(found));
    let shown = text
      .replaceAll(token, "<token>")
      .replaceAll(quotedObject, maskedQuote)
      .replaceAll(
        uuid,
        unlessSaid((found) => this.#uids.of(found)),
      )
      .replaceAll(
        time,
        unlessSaid((found) => (found.includes(".") ? "<microtime>" : "<time>")),
      )
      .replaceAll(
        clusterIp,
        unlessSaid(() => "<ip>"),
      )
      .replaceAll(
        nodePortInTable,
        unlessSaid(() => ":<port>"),
      )
      .replaceAll(revisionInText, "$1<revision>");
    for (const name of this.#generated) shown = shown.replaceAll(name, "$1<generated>");
    return shown;
  }
}

/** Whoever writes at the same time moves the revision of a list on. */
function maskedListMetadata(metadata: JsonObject): JsonObject {
  const { continue: token } = metadata;
  return {
    ...metadata,
    resourceVersion: "<revision>",
    ...(typeof token === "string" && token !== "" ? { continue: maskedToken(token) } : {}),
  };
}

/** Bookmarks come by the server's own clock, but for the one that ends the initial events. */
function isLateBookmark(event: JsonValue): boolean {
  return isJsonObject(event) && event["type"] === "BOOKMARK" && !stringifyJson(event).includes("initial-events-end");
}

function maskedBookmark(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(maskedBookmark);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, field = null]): [string, JsonValue] => [
    key,
    key === "resourceVersion" ? "<revision>" : maskedBookmark(field),
  ]);
  return Object.fromEntries(entries);
}

/** The order of fields in what a message quotes is an accident, and its revision that of the day. */
function maskedQuote(quote: string): string {
  const text = parseIfJson(quote);
  const value = typeof text === "string" ? parseIfJson(text) : undefined;
  if (!isJsonObject(value)) return quote;
  const { metadata } = value;
  const shown =
    isJsonObject(metadata) && "resourceVersion" in metadata
      ? { ...value, metadata: { ...metadata, resourceVersion: "<revision>" } }
      : value;
  return JSON.stringify(stringifyJson(sortedKeys(shown)));
}

function sortedKeys(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sortedKeys);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sortedKeys(value[key] ?? null)]));
}

/** What a token says but for the revision; at which revision a list goes on shows in its pages. */
function maskedToken(token: string): string {
  return Buffer.from(token, "base64url")
    .toString("utf8")
    .replace(/"rv":\d+/, '"rv":<revision>');
}

/** Who wrote first depends on the second in which each did. */
function inFixedOrder(managers: readonly JsonValue[]): JsonValue {
  const keyOf = (entry: JsonValue): string => {
    const { manager, operation, apiVersion, fieldsV1 = null, subresource } = isJsonObject(entry) ? entry : {};
    return stringifyJson([manager, operation, apiVersion, sortedKeys(fieldsV1), subresource]);
  };
  return managers.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

/** With whom an apply is in conflict is found out in no order. */
function isConflict(cause: JsonValue): boolean {
  return isJsonObject(cause) && cause["reason"] === "FieldManagerConflict";
}

function byText(left: JsonValue, right: JsonValue): number {
  return stringifyJson(sortedKeys(left)) < stringifyJson(sortedKeys(right)) ? -1 : 1;
}

/** Ages grow while a recording is made, and what columns are for is said in other words by each server. */
function maskedTable(table: JsonObject): JsonObject {
  const { columnDefinitions, rows } = table;
  const withoutWords = isJsonArray(columnDefinitions)
    ? columnDefinitions.map((head) => (isJsonObject(head) ? { ...head, description: "" } : head))
    : null;
  const maskedRows = isJsonArray(rows)
    ? rows.map((row) => (isJsonObject(row) ? { ...row, cells: maskedCells(row["cells"] ?? null) } : row))
    : null;
  return { ...table, columnDefinitions: withoutWords, rows: maskedRows };
}

function maskedCells(cells: JsonValue): JsonValue {
  return isJsonArray(cells) ? cells.map((cell) => (typeof cell === "string" && age.test(cell) ? "<age>" : cell)) : cells;
}

/** Gives each text a number when it is first seen. */
class Numbering {
  readonly #of: string;
  readonly #numbers = new Map<string, number>();

  constructor(of: string) {
    this.#of = of;
  }

  of(text: string): string {
    const number = this.#numbers.get(text) ?? this.#numbers.size + 1;
    this.#numbers.set(text, number);
    return `<${this.#of} ${number}>`;
  }
}

import { isJsonArray, isJsonObject, objectAt } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { shortText } from "./short-text.ts";
import type { WriteAnswer } from "./write-answer.ts";

/** Says what a write carries, less what the line that it stands in says already; and the name that the server made up. */
export function writtenText(body: JsonValue, { name }: Pick<WriteAnswer, "name">): string {
  if (!isJsonObject(body)) return "";
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...content } = body;
  const { name: ownName, namespace: _namespace, generateName, ...marks } = objectAt(metadata);
  const isNamedByServer = ownName === undefined && generateName !== undefined && name !== "";
  const shown: JsonObject = Object.keys(marks).length === 0 ? content : { ...content, metadata: withShortOwners(marks) };
  const text = Object.keys(shown).length === 0 ? "" : JSON.stringify(shown);
  return `${isNamedByServer ? `as ${name} ` : ""}${shortText(text)}`.trimEnd();
}

/** Owners by kind and name. */
function withShortOwners({ ownerReferences, ...marks }: JsonObject): JsonObject {
  if (!isJsonArray(ownerReferences)) return marks;
  const owners = ownerReferences
    .filter(isJsonObject)
    .map(({ kind, name }) => [kind, name].filter((part) => typeof part === "string").join(" "));
  return { ...marks, owners };
}

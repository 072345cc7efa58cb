import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, isJsonArray, valueAt } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { parseAllDocuments } from "yaml";
import type { Document } from "yaml";
import { CommandError } from "./command.ts";
import { readText } from "./read-text.ts";

/** A value in a file, which may be an object of Kubernetes. */
export interface FileValue {
  readonly file: string;
  readonly value: JsonValue;
}

/** Whether a file in a folder is one of objects, by its name. */
export function isObjectFile(name: string): boolean {
  return /\.(ya?ml|json)$/.test(name);
}

/** What is in a file of YAML or JSON, or in those of a folder. Of a list, as kubectl writes it, its items; what is empty is left out. */
export function readObjectFiles(path: string): readonly FileValue[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter(isObjectFile)
        .toSorted()
        .map((name) => join(path, name))
    : [path];
  return files.flatMap((file) => valuesIn(file).map((value) => ({ file, value })));
}

function valuesIn(file: string): readonly JsonValue[] {
  return parseAllDocuments(readText(file)).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw noYaml(file, error);
    return itemsOf(valueOf(document, file)).filter((value) => value !== null);
  });
}

/** Aliases are looked up only here. */
function valueOf(document: Document.Parsed, file: string): JsonValue {
  try {
    return document.toJS();
  } catch (error) {
    throw noYaml(file, error);
  }
}

function noYaml(file: string, cause: unknown): CommandError {
  // What follows the colon is a picture of the place.
  const [line = ""] = errorMessage(cause).split("\n", 1);
  return new CommandError(`${file} is not YAML: ${line.replace(/:$/, "")}`, { cause });
}

/** The objects of a list, as kubectl gets several of them, or the object itself. */
function itemsOf(value: JsonValue): readonly JsonValue[] {
  const items = valueAt(value, "items");
  return isJsonArray(items) ? items : [value];
}

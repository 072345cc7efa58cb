import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { OperatorDefinition } from "@kaji/runtime";
import { CommandError } from "../command.ts";
import type { Project } from "./project.ts";

/** The operator of a project, by running the file that defines it: defining an operator starts nothing. */
export async function loadOperator({ folder, operatorFile }: Project): Promise<OperatorDefinition> {
  const path = join(folder, operatorFile);
  if (!existsSync(path)) {
    throw new CommandError(`${operatorFile} does not exist; it exports the operator: export const operator = defineOperator({ … })`);
  }
  let module: object;
  try {
    module = await import(pathToFileURL(path).href);
  } catch (error) {
    throw new CommandError(`${operatorFile} cannot be loaded: ${messageOf(error)}${placeOf(error, folder)}`, { cause: error });
  }
  const operator: unknown = "operator" in module ? module.operator : undefined;
  if (!isOperator(operator)) {
    throw new CommandError(`${operatorFile} must export the operator: export const operator = defineOperator({ … })`);
  }
  return operator;
}

function isOperator(value: unknown): value is OperatorDefinition {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    ["controllers", "webhooks", "conversions"].every((list) => Array.isArray(Object.getOwnPropertyDescriptor(value, list)?.value))
  );
}

/** All of it in one line: a definition may have several problems. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, "; ");
}

/** Where in the project it went wrong, as an editor opens it. */
function placeOf(error: unknown, folder: string): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  for (const [, path = "", line = ""] of stack.matchAll(/(file:\/\/[^\s):]+|\/[^\s):]+):(\d+)/g)) {
    const file = relative(folder, path.startsWith("file:") ? fileURLToPath(path) : path);
    if (!file.startsWith("..") && !file.includes("node_modules")) return ` (${file}:${line})`;
  }
  return "";
}

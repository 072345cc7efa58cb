import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { errorMessage, oneLine } from "@kaji/core";
import type { OperatorDefinition } from "@kaji/runtime";
import { CommandError } from "../command.ts";
import { missingImport } from "./missing-import.ts";
import { projectPlace } from "./project-place.ts";
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
    const place = projectPlace(error instanceof Error ? (error.stack ?? "") : "", folder);
    const remedy = missingImport(error, folder);
    const said = [`${messageOf(error, folder)}${place === undefined ? "" : ` (${place})`}`, ...(remedy === undefined ? [] : [remedy])];
    throw new CommandError(`${operatorFile} cannot be loaded: ${said.join("; ")}`, { cause: error });
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
    ["controllers", "webhooks", "conversions", "resources"].every((list) =>
      Array.isArray(Object.getOwnPropertyDescriptor(value, list)?.value),
    )
  );
}

/** All of it in one line: a definition may have several problems. Files of the project are named from its folder. */
function messageOf(error: unknown, folder: string): string {
  return oneLine(errorMessage(error), "; ").replaceAll(`${folder}${sep}`, "");
}

import type { EnvVar } from "@kaji/types/core/v1";
import { UsageError } from "../command.ts";
import type { OptionValues } from "../command.ts";
import { textsOf } from "../option-values.ts";
import type { Project } from "../project/project.ts";

/** The environment that the operator has besides what kaji gives it: `kaji.env` of its package.json, where `--env` does not say something else. */
export async function environmentOf(values: OptionValues, { env }: Project): Promise<readonly EnvVar[]> {
  const given = textsOf(values, "env").map(variableOf);
  if (env === undefined) return given;
  const { readDeclaredEnvironment } = await import("./declared-environment.ts");
  const names = new Set(given.map(({ name }) => name));
  return [...readDeclaredEnvironment(env).filter(({ name }) => !names.has(name)), ...given];
}

function variableOf(text: string): EnvVar {
  const equals = text.indexOf("=");
  if (equals < 1) throw new UsageError(`--env must be NAME=VALUE, not '${text}'`);
  return { name: text.slice(0, equals), value: text.slice(equals + 1) };
}

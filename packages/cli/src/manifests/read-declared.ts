import type { z } from "@kaji/core/define";
import { CommandError } from "../command.ts";

/** Reads what a package.json has under `kaji`, by its name there; throws with the place of what is not as it should be. */
export function readDeclared<T>(name: string, schema: z.ZodType<T>, value: unknown): T {
  const { error, data } = schema.safeParse(value);
  if (error === undefined) return data;
  const [{ path, message } = { path: [], message: "" }] = error.issues;
  throw new CommandError(`package.json: ${["kaji", name, ...path.map(String)].join(".")}: ${message.replace(/^Invalid input: /, "")}`);
}

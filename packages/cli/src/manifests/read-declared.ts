import { nearName } from "@kaji/core";
import { z } from "@kaji/core/define";
import { CommandError } from "../command.ts";

/** Reads what a package.json has under `kaji`, by its name there; throws with the place of what is not as it should be. */
export function readDeclared<T>(name: string, schema: z.ZodType<T>, value: unknown): T {
  const { error, data } = schema.safeParse(value, { error: unknownKey });
  if (error === undefined) return data;
  // A misspelt key comes before the one that is missing because of it.
  const issue = error.issues.find(({ code }) => code === "unrecognized_keys") ?? error.issues[0];
  const { path, message } = issue ?? { path: [], message: "" };
  const separator = issue?.code === "unrecognized_keys" ? "." : ": ";
  throw new CommandError(
    `package.json: ${["kaji", name, ...path.map(String)].join(".")}${separator}${message.replace(/^Invalid input: /, "")}`,
  );
}

/** What zod does not say of a key that there is not: which there are. */
function unknownKey(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "unrecognized_keys" || !(issue.inst instanceof z.ZodObject)) return undefined;
  const known = Object.keys(issue.inst.shape);
  const [key = ""] = issue.keys;
  const meant = nearName(key, known);
  return `${key} is unknown; ${meant === undefined ? `there is ${known.join(", ")}` : `did you mean ${meant}?`}`;
}

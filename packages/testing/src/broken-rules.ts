import { schemaRules } from "@kaji/apiserver";
import type { FieldError, JsonObject } from "@kaji/core";
import type { DefinedVersion } from "@kaji/core/define";

type Rules = ReturnType<typeof schemaRules>;

const compiled = new WeakMap<DefinedVersion["openApiSchema"], Rules>();

/** The CEL rules that an object of a kind breaks, as a server would say it of a new one. It must be what `parse` makes of it: valid otherwise, and with its defaults. */
export function brokenRules(kind: DefinedVersion, parsed: JsonObject): readonly FieldError[] {
  return rulesOf(kind)(parsed);
}

function rulesOf({ openApiSchema }: DefinedVersion): Rules {
  let rules = compiled.get(openApiSchema);
  if (rules === undefined) compiled.set(openApiSchema, (rules = schemaRules(openApiSchema)));
  return rules;
}

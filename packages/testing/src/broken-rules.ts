import { schemaRules } from "@kaji/apiserver";
import { jsonOf } from "@kaji/core";
import type { FieldError, JsonObject } from "@kaji/core";
import type { DefinedVersion } from "@kaji/core/define";

type Rules = ReturnType<typeof schemaRules>;

const compiled = new WeakMap<DefinedVersion["openApiSchema"], Rules>();

/** The CEL rules that an object of a kind breaks, as a server would say it of a new one. It must follow the schema otherwise. */
export function brokenRules(kind: DefinedVersion, object: JsonObject): readonly FieldError[] {
  return rulesOf(kind)(jsonOf(kind.parse(object)));
}

function rulesOf({ openApiSchema }: DefinedVersion): Rules {
  let rules = compiled.get(openApiSchema);
  if (rules === undefined) compiled.set(openApiSchema, (rules = schemaRules(openApiSchema)));
  return rules;
}

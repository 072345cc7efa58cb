import type { z } from "zod";
import { isKubeCheck } from "./kube-check.ts";
import type { SchemaPlace } from "./schema-place.ts";

/** The checks of a schema, with the schema itself first where it is one: `z.int()` is a check that a number is whole. */
export function checksOf(schema: z.core.$ZodType): readonly z.core.$ZodCheck[] {
  const checks = schema._zod.def.checks ?? [];
  return schema._zod.traits.has("$ZodCheck") ? [schema as z.core.$ZodType & z.core.$ZodCheck, ...checks] : checks;
}

/** Reports a check that has no meaning to the server; ours have one. */
export function refuseCheck(check: z.core.$ZodCheck, place: SchemaPlace): void {
  if (isKubeCheck(check)) return;
  const { check: name } = check._zod.def;
  if (name === "custom")
    place.report("a refinement is a function, which the server cannot call; use .check(k.rule(…)) or a validating webhook");
  else if (name === "overwrite")
    place.report("the server does not change values as .trim() or .toLowerCase() do; use a pattern that demands the form");
  else place.report(`the check "${name}" of zod has no counterpart in the server; use .check(k.rule(…))`);
}

import type { z } from "zod";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * A zod check that also says what it means to the API server.
 * It is put on a schema with `.check(…)`, so it keeps the schema's type and survives `.describe()`, `.optional()` and `.extend()`.
 */
export interface KubeCheck<in T> extends z.core.$ZodCheck<T> {
  readonly _zod: z.core.$ZodCheckInternals<T> & { readonly def: KubeCheckDef };
}

interface KubeCheckDef extends z.core.$ZodCheckDef {
  readonly check: "kubernetes";
  /** The schema so far → the schema with what this check adds to it. */
  readonly extend: (schema: StructuralSchema) => StructuralSchema;
  /** Whether `extend` gives the whole schema, so that the zod schema it is put on is not looked at. */
  readonly replaces: boolean;
}

/** How a check acts. */
export interface KubeCheckOptions<T> {
  readonly replaces?: boolean;
  /** What is wrong with a value, as a sentence for its author; undefined if nothing is. Default: nothing ever is. */
  readonly complaint?: (value: T) => string | undefined;
}

/** A check that adds to the structural schema. */
export function kubeCheck<T>(
  extend: (schema: StructuralSchema) => StructuralSchema,
  { replaces = false, complaint }: KubeCheckOptions<T> = {},
): KubeCheck<T> {
  const check = (payload: z.core.ParsePayload<T>): void => {
    const message = complaint?.(payload.value);
    if (message !== undefined) payload.issues.push({ code: "custom", input: payload.value, message, continue: true });
  };
  return { _zod: { def: { check: "kubernetes", extend, replaces }, check, onattach: [] } };
}

/** Tells our checks from those of zod. */
export function isKubeCheck(check: z.core.$ZodCheck): check is KubeCheck<never> {
  return check._zod.def.check === "kubernetes";
}

import { z } from "@kaji/core/define";
import type { EnvVar } from "@kaji/types/core/v1";
import { readDeclared } from "./read-declared.ts";

const keyReference = z.strictObject({ name: z.string().min(1), key: z.string().min(1), optional: z.boolean().exactOptional() });

/** A variable in the form of a container's. */
const variable = z
  .strictObject({
    name: z.string().min(1),
    value: z.string().exactOptional(),
    valueFrom: z
      .strictObject({
        secretKeyRef: keyReference.exactOptional(),
        configMapKeyRef: keyReference.exactOptional(),
        fieldRef: z.strictObject({ fieldPath: z.string().min(1) }).exactOptional(),
      })
      .refine((source) => Object.keys(source).length === 1, "needs one of secretKeyRef, configMapKeyRef and fieldRef")
      .exactOptional(),
  })
  .refine(({ value, valueFrom }) => value === undefined || valueFrom === undefined, "has both value and valueFrom");

/** Reads `kaji.env` of a package.json; throws with the place of what is not as containers have it. */
export function readDeclaredEnvironment(env: unknown): readonly EnvVar[] {
  return readDeclared("env", z.array(variable), env);
}

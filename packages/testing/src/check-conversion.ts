import type { Conversion } from "@kaji/runtime";
import { checkConversion as checkLaws } from "@kaji/runtime/testing";
import type { CheckConversionOptions as LawOptions } from "@kaji/runtime/testing";
import { brokenRules } from "./broken-rules.ts";

/** How thoroughly a conversion is tried. */
export type CheckConversionOptions = Omit<LawOptions, "brokenRules">;

/**
 * Tries a conversion on objects made by chance from the schemas of its versions, CEL rules included, and throws where it breaks a law, with the object.
 *
 * - What is converted is valid in its new version.
 * - There and back, an object is what it was, but for fields that are declared lossy.
 * - So is one that is changed in between: the change survives, and nothing that was before comes back.
 */
export function checkConversion(conversion: Conversion, options: CheckConversionOptions = {}): void {
  checkLaws(conversion, { ...options, brokenRules });
}

import { UsageError } from "./command.ts";
import type { OptionValues } from "./command.ts";

/** A text that must not be empty, or else the fallback. */
export function textOf(values: OptionValues, name: string, fallback: string): string {
  const value = values[name] ?? fallback;
  if (typeof value !== "string" || value === "") throw new UsageError(`--${name} must not be empty`);
  return value;
}

/** A text that may be left out, but not be empty. */
export function optionalText(values: OptionValues, name: string): string | undefined {
  return values[name] === undefined ? undefined : textOf(values, name, "");
}

/** One of a few words; the first is the default. */
export function oneOf<Choice extends string>(values: OptionValues, name: string, choices: readonly [Choice, ...Choice[]]): Choice {
  const value = values[name];
  if (value === undefined) return choices[0];
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new UsageError(`--${name} must be ${choices.join(" or ")}, not '${String(value)}'`);
  return choice;
}

/** Whether an option without a value was given. */
export function isSet(values: OptionValues, name: string): boolean {
  return values[name] === true;
}

/** Words between commas; undefined where the option is left out. */
export function listOf(values: OptionValues, name: string): readonly string[] | undefined {
  const words = optionalText(values, name)
    ?.split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  if (words?.length === 0) throw new UsageError(`--${name} must not be empty`);
  return words;
}

/** All values of an option that can be given several times. */
export function textsOf(values: OptionValues, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value : [];
}

/** A whole number within bounds, or else the fallback. */
export function numberOf(values: OptionValues, name: string, bounds: { readonly fallback: number; readonly max: number }): number {
  const text = textOf(values, name, String(bounds.fallback));
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > bounds.max) {
    throw new UsageError(`--${name} must be a number from 0 to ${bounds.max}, not '${text}'`);
  }
  return number;
}

import { durationMs } from "@kaji/core";
import { UsageError } from "./command.ts";
import type { OptionValues } from "./command.ts";
import { textOf } from "./option-values.ts";

/** A span of time such as `90s` or `5m`, in milliseconds. */
export function spanOf(values: OptionValues, name: string, fallback: string): number {
  const text = textOf(values, name, fallback);
  try {
    return durationMs(text);
  } catch (error) {
    throw new UsageError(`--${name} must be a span of time such as 90s or 5m, not '${text}'`, { cause: error });
  }
}

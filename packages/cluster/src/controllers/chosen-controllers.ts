import { builtinControllers } from "./builtin-controllers.ts";
import type { BuiltinController } from "./builtin-controllers.ts";

/** The controllers of these names; all of them if none are given. A name that no controller has is refused. */
export function chosenControllers(only: readonly string[] | undefined): readonly BuiltinController[] {
  if (only === undefined) return builtinControllers;
  const unknown = only.find((name) => builtinControllers.every((controller) => controller.name !== name));
  if (unknown !== undefined) throw new TypeError(`there is no controller "${unknown}"; there are ${names()}`);
  return builtinControllers.filter(({ name }) => only.includes(name));
}

function names(): string {
  return [...new Set(builtinControllers.map(({ name }) => name))].toSorted().join(", ");
}

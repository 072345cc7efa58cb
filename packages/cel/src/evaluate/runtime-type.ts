import type { Overload } from "../check/declaration.ts";
import type { Type } from "../check/type.ts";
import { ErrorValue, isList, isMap, typeNameOf } from "../value/value.ts";
import type { Value } from "../value/value.ts";

/** Whether values are what an overload is declared for; of a list and a map, the first item is looked at. */
export function accepts({ parameters }: Overload, args: readonly Value[]): boolean {
  return parameters.length === args.length && parameters.every((type, index) => isOfType(type, args[index] ?? null));
}

/** The error of a call for which there is no overload. */
export function noOverloadFor(name: string, args: readonly Value[]): ErrorValue {
  return new ErrorValue(`no such overload: ${name}(${args.map(typeNameOf).join(", ")})`);
}

function isOfType(type: Type, value: Value): boolean {
  if (type.kind === "dyn" || type.kind === "typeParam") return true;
  if (type.name !== typeNameOf(value)) return false;
  const [item, entry] = type.parameters;
  if (item === undefined) return true;
  if (isList(value)) return value.size === 0 || isOfType(item, value.at(0));
  if (!isMap(value) || entry === undefined) return true;
  const [key] = value.keys();
  return key === undefined || (isOfType(item, key) && isOfType(entry, value.find(key) ?? null));
}

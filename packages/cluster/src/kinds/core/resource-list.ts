import { Quantity } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { mapField } from "../field-defaults.ts";

/** Amounts by the name of the resource, such as `cpu`. */
export type ResourceList = ReadonlyMap<string, Quantity>;

/** Reads amounts; what is absent has none. */
export function resourceList(value: JsonObject | undefined): ResourceList {
  return new Map(Object.entries(value ?? {}).map(([name, amount]) => [name, Quantity.parse(typeof amount === "string" ? amount : "0")]));
}

/** Amounts that plainly need no rounding: nearly all. */
const wholeThousandths = /^\d{1,6}(?:[mkMG]|[KMG]i)?$/;

/** Rounds amounts up to thousandths, the finest that resources are counted in. */
export function defaultResourceList(list: JsonObject): JsonObject {
  const finest = Object.entries(list).filter(([, amount]) => typeof amount !== "string" || !wholeThousandths.test(amount));
  if (finest.length === 0) return list;
  return {
    ...list,
    ...Object.fromEntries(finest.map(([name, amount]) => [name, typeof amount === "string" ? roundedUp(amount) : amount])),
  };
}

/** Rounds the amounts of `limits` and `requests`. */
export function defaultResources(resources: JsonObject): JsonObject {
  return mapField(mapField(resources, "limits", defaultResourceList), "requests", defaultResourceList);
}

function roundedUp(text: string): string {
  const amount = Quantity.parse(text);
  const milli = Quantity.parse(`${amount.milliValue()}m`);
  if (amount.equals(milli)) return text;
  return amount.format === "DecimalExponent" ? Quantity.parse(`${amount.milliValue()}e-3`).canonical() : milli.canonical();
}

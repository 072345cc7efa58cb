import { Quantity } from "@kaji/core";

/** A quantity in thousandths. */
export function milliOf(quantity: string): number {
  return Number(Quantity.parse(quantity).milliValue());
}

/** Thousandths as a quantity. */
export function milliText(milli: number): string {
  return Quantity.parse(`${milli}m`).canonical();
}

/** Thousandths of a resource as a quantity: memory in powers of two, unless that would lose something. */
export function amountText(resource: string, milli: number): string {
  if (resource !== "memory" || milli % 1000 !== 0) return milliText(milli);
  return Quantity.of(milli / 1000, "BinarySI").canonical();
}

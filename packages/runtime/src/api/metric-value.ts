import { Quantity, formatTime } from "@kaji/core";
import type { Labels } from "@kaji/core";

/** What a metric is at a moment. Metrics of one name are told apart by their labels. */
export interface MetricValue {
  readonly labels?: Labels;
  /** A number, or a quantity such as `250m`. */
  readonly value: number | string;
  /** When it was measured. Default: now. */
  readonly timestampMs?: number;
  /** Over how long, where it is a rate. */
  readonly windowSeconds?: number;
}

/** When and what, as metrics of either API are written. */
export function measured(
  name: string,
  { value, timestampMs }: MetricValue,
  nowMs: number,
): { readonly timestamp: string; readonly value: string } {
  return { timestamp: formatTime(timestampMs ?? nowMs), value: quantityOf(name, value) };
}

/** As text, to the thousandth: no more than that do HorizontalPodAutoscalers know of. */
function quantityOf(name: string, value: number | string): string {
  const text = typeof value === "number" && Number.isFinite(value) ? value.toFixed(3).replace(/\.?0+$/, "") : String(value);
  try {
    return Quantity.parse(text).toString();
  } catch (cause) {
    throw new TypeError(`the metric ${name} has the value ${text}, which is no quantity`, { cause });
  }
}

import { Quantity } from "@kaji/core";

/** What a container uses at a moment. */
export interface Consumption {
  /** How many processors it keeps busy. */
  readonly cores: number;
  readonly memoryBytes: number;
}

/** What a container uses, in quantities: `{ cpu: "250m", memory: "64Mi" }`. Default of each nothing. */
export interface ScriptedUsage {
  readonly cpu?: string;
  readonly memory?: string;
}

/** The amounts that quantities stand for; throws a `ParseError` for what is none. */
export function consumptionOf({ cpu = "0", memory = "0" }: ScriptedUsage): Consumption {
  return { cores: Quantity.parse(cpu).asApproximateFloat(), memoryBytes: Number(Quantity.parse(memory).value()) };
}

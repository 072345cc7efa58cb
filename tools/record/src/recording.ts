import { readFileSync } from "node:fs";
import { parseJson, stringifyJson } from "@kaji/core";
import type { JsonValue, Transport } from "@kaji/core";
import { differences } from "./difference.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { masked } from "./mask.ts";
import type { Pace } from "./pace.ts";
import { play } from "./play.ts";

/** A scenario with the answers of a real server, masked. */
export interface RecordedScenario {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** Scenarios that were recorded together, in a namespace that is there before the first and empty before each. */
export interface Recording {
  readonly namespace: string;
  readonly scenarios: readonly RecordedScenario[];
}

/** Where the answer to a request was another than recorded. */
export interface Mismatch {
  /** The position of the request in its scenario. */
  readonly step: number;
  /** `POST /api/v1/…`. */
  readonly request: string;
  readonly differences: readonly string[];
}

/** Sends the requests of a recorded scenario to another server, and says where it answers otherwise, as far as `essence` of an answer shows it. */
export async function replay(
  { name, exchanges }: RecordedScenario,
  send: Transport,
  { pace, essence = (answer) => answer }: { readonly pace?: Pace; readonly essence?: (answer: Answer) => Answer } = {},
): Promise<readonly Mismatch[]> {
  const steps = exchanges.map(({ request }) => request);
  const answered = masked(await play({ name, steps }, send, pace));
  return exchanges.flatMap(({ request, answer }, step) => {
    const ours = answered[step]?.answer;
    const found = differences(asJson(essence(answer)), asJson(ours && essence(ours)));
    return found.length === 0 ? [] : [{ step, request: `${request.method} ${request.path}`, differences: found }];
  });
}

/** Reads what `formatRecording` wrote. */
export function readRecording(file: URL): Recording {
  const recording: unknown = parseJson(readFileSync(file, "utf8"));
  return recording as Recording;
}

/** JSON with a line for each exchange, so that a change of one shows as one line. */
export function formatRecording({ namespace, scenarios }: Recording): string {
  const shown = scenarios.map(({ name, exchanges }) => {
    const lines = exchanges.map((exchange) => `  ${stringifyJson(exchange)}`);
    return `{"name":${stringifyJson(name)},"exchanges":[\n${lines.join(",\n")}\n]}`;
  });
  return `{"namespace":${stringifyJson(namespace)},"scenarios":[\n${shown.join(",\n")}\n]}\n`;
}

function asJson(value: unknown): JsonValue | undefined {
  return value as JsonValue | undefined;
}

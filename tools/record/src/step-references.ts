import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import type { Answer, Step } from "./exchange.ts";
import { mapStrings } from "./map-strings.ts";

const reference = /\{\{(\d+)\.([^}]+)\}\}/g;
const repetition = /\{\{(\d+) times (.+?)\}\}/g;

/** A step with the texts that its references stand for. */
export function resolved(step: Step, answers: readonly Answer[]): Step {
  const resolve = (text: string): string =>
    text
      .replaceAll(reference, (_all, index: string, path: string) => fieldOf(answers[Number(index)]?.body, path.split(".")))
      .replaceAll(repetition, (_all, times: string, what: string) => what.repeat(Number(times)));
  const headers = Object.entries(step.headers ?? {}).map(([name, value]) => [name, resolve(value)]);
  return {
    ...step,
    path: resolve(step.path),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(step.body === undefined ? {} : { body: mapStrings(step.body, resolve) }),
  };
}

function fieldOf(value: JsonValue | undefined, path: readonly string[]): string {
  let found = value;
  for (const name of path) found = isJsonObject(found) ? found[name] : isJsonArray(found) ? found[Number(name)] : undefined;
  if (typeof found !== "string" && typeof found !== "number") throw new Error(`no answer so far has ${path.join(".")}`);
  return String(found);
}

import { isRecord } from "../json/json.ts";
import type { Status } from "./status.ts";

type Fields = Readonly<Record<string, unknown>>;
type Rules = Readonly<Record<string, (value: unknown) => boolean>>;

/** The value as a Status: a server sent it as one, or what stands before it. Fields that are not of their type are left out, so that whoever reads one need not look. */
export function statusOf(value: unknown): Status {
  const status = sound(isRecord(value) ? value : {}, { message: isText, reason: isText, code: Number.isFinite, details: isRecord });
  const { details } = status;
  return (isRecord(details) ? { ...status, details: soundDetails(details) } : status) as Fields & Status;
}

function soundDetails(given: Fields): Fields {
  const details = sound(given, {
    name: isText,
    group: isText,
    kind: isText,
    uid: isText,
    causes: Array.isArray,
    retryAfterSeconds: isDelay,
  });
  const { causes } = details;
  return Array.isArray(causes) ? { ...details, causes: causes.filter(isRecord).map(soundCause) } : details;
}

function soundCause(given: Fields): Fields {
  return sound(given, { reason: isText, message: isText, field: isText });
}

/** The fields without those that break their rule. */
function sound(given: Fields, rules: Rules): Fields {
  const isWrong = (name: string): boolean => Object.hasOwn(given, name) && rules[name]?.(given[name]) !== true;
  const wrong = new Set(Object.keys(rules).filter(isWrong));
  return wrong.size === 0 ? given : Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** An int32 that can be waited for. */
function isDelay(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value < 2 ** 31;
}

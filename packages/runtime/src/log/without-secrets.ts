import { TransportError } from "@kaji/client";
import { messageWithCauses, objectKey } from "@kaji/core";
import type { KubeObject } from "@kaji/core";

/** Values that are nested deeper are cut off. */
const deepest = 6;
const redacted = "[redacted]";
const secretName = /token|passw|secret|authorization|credential|private-?key|client-?key|cookie/i;
const bearer = /\b(bearer|basic)\s+[\w.~+/=-]+/gi;

/** Fields of a log line as they may be written: without what has the name of a secret, the content of Secrets, and credentials in text. */
export function withoutSecrets(fields: object): Record<string, unknown> {
  return isSecret(fields) ? address(fields) : entries(fields, 0);
}

/** A text as it may be written. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(bearer, `$1 ${redacted}`);
}

/** A value as it may be written; a placeholder for one whose properties throw when read. */
function shown(name: string, value: unknown, depth: number): unknown {
  try {
    return shownValue(name, value, depth);
  } catch {
    return "[unreadable]";
  }
}

function shownValue(name: string, value: unknown, depth: number): unknown {
  if (typeof value === "function") return "[function]";
  if (typeof value === "symbol") return value.toString();
  if (typeof value === "string") return secretName.test(name) ? redacted : withoutCredentials(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return shownError(value, depth);
  if (depth >= deepest) return "[…]";
  if (Array.isArray(value)) return value.map((item) => shown(name, item, depth + 1));
  if (secretName.test(name)) return redacted;
  return isSecret(value) ? address(value) : entries(value, depth);
}

function entries(value: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(key, each, depth + 1)]));
}

function address({ kind, metadata }: KubeObject): Record<string, unknown> {
  return { kind, object: objectKey({ namespace: metadata.namespace, name: metadata.name ?? "" }) };
}

/** The known fields of an error, without others that libraries attach, such as a request with its headers. */
function shownError(error: Error, depth: number): unknown {
  const { name, stack, cause } = error;
  const reason = "reason" in error && typeof error.reason === "string" ? { reason: error.reason } : {};
  const said = { type: name, message: withoutCredentials(messageWithCauses(error)), ...reason };
  // There was no answer: where in the program it was waited for says nothing about why, and the message has the causes.
  if (error instanceof TransportError) return said;
  const because = cause === undefined || depth >= deepest ? {} : { cause: shown("cause", cause, depth + 1) };
  return { ...said, ...because, ...(stack === undefined ? {} : { stack: withoutCredentials(stack) }) };
}

function isSecret(value: object): value is KubeObject {
  if (!("kind" in value && value.kind === "Secret" && "metadata" in value)) return false;
  const { metadata } = value;
  return (
    typeof metadata === "object" && metadata !== null && "name" in metadata && typeof metadata.name === "string" && metadata.name !== ""
  );
}

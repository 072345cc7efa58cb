import { oneLine } from "@kaji/core";

/** A line of JSON as a person at a terminal reads it: `12:00:05.123 INFO  the message name=value`. */
export function readableLine(json: string): string {
  const { time, level, msg, ...fields } = parse(json);
  const words = Object.entries(fields).map(([name, value]) => `${name}=${said(value)}`);
  const at = typeof time === "string" ? time.slice(11, 23) : "";
  return `${[at, String(level).toUpperCase().padEnd(5), oneLine(String(msg)), ...words].join(" ")}\n`;
}

function said(value: unknown): string {
  if (typeof value === "string") return /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value);
  if (!isError(value)) return JSON.stringify(value) ?? "";
  const place = placeIn(value.stack ?? "");
  return JSON.stringify(value.message) + (place === undefined ? "" : ` ${place}`);
}

/** The first place of a stack that is the program's own; where there is none, the first. */
function placeIn(stack: string): string | undefined {
  const places = stack.match(/\(?(?:(?:file|node):)?[^\s()]+:\d+:\d+\)?/g) ?? [];
  return places.find((place) => !/\/node_modules\/|^\(?node:/.test(place)) ?? places[0];
}

function isError(value: unknown): value is { readonly message: string; readonly stack?: string } {
  return typeof value === "object" && value !== null && "type" in value && "message" in value && typeof value.message === "string";
}

/** It is our own line; should it be none, it is shown as it is. */
function parse(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return { level: "error", msg: json };
  }
}

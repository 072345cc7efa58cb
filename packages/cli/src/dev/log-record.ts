/** What an operator has said with its log. */
export interface LogRecord {
  readonly level: string;
  readonly message: string;
  /** What belongs to the message, as `name=value`. */
  readonly fields: string;
  /** Whether it says of a reconcile what the report of that reconcile says too. */
  readonly isReported: boolean;
  /** Where the error comes from that it tells of. */
  readonly stack: string | undefined;
  /** All of it. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** Reads a line of an operator's log; undefined if it is something else that the program has printed. */
export function logRecord(line: string): LogRecord | undefined {
  const value = parsed(line);
  const { time: _, level, msg: message, reconcileId, ...others } = value ?? {};
  if (value === undefined || typeof message !== "string" || typeof level !== "string") return undefined;
  const fields = Object.entries(others).map(([name, field]) => `${name}=${fieldText(field)}`);
  const isReported = reconcileId !== undefined && message.startsWith("reconcile failed");
  return { level, message, fields: fields.join(" "), isReported, stack: stackOf(others["err"]), value };
}

function parsed(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function stackOf(error: unknown): string | undefined {
  const stack: unknown = typeof error === "object" && error !== null && "stack" in error ? error.stack : undefined;
  return typeof stack === "string" ? stack : undefined;
}

/** Texts without spaces as they are, errors by their message. */
function fieldText(value: unknown): string {
  if (typeof value === "string") return /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value);
  const isError = typeof value === "object" && value !== null && "message" in value && "type" in value;
  return JSON.stringify(isError ? value.message : value) ?? "";
}

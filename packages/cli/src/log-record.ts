/** What an operator has said with its log. */
export interface LogRecord {
  readonly level: string;
  readonly message: string;
  /** What belongs to the message, as `name=value`, but for the error. */
  readonly fields: string;
  /** Whether it says of a reconcile what the report of that reconcile says too. */
  readonly isReported: boolean;
  /** The error that it tells of, as `err=value`, and where that comes from. */
  readonly error: { readonly text: string; readonly stack: string } | undefined;
  /** All of it. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** Reads a line of an operator's log; undefined if it is something else that the program has printed. */
export function logRecord(line: string): LogRecord | undefined {
  const value = parsed(line);
  const { time: _, level, msg: message, reconcileId, err, ...others } = value ?? {};
  if (value === undefined || typeof message !== "string" || typeof level !== "string") return undefined;
  const fields = Object.entries(others).map(([name, field]) => `${name}=${fieldText(field)}`);
  const error = err === undefined ? undefined : { text: `err=${fieldText(err)}`, stack: stackOf(err) };
  const isReported = reconcileId !== undefined && message.startsWith("reconcile failed");
  return { level, message, fields: fields.join(" "), isReported, error, value };
}

function parsed(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function stackOf(error: unknown): string {
  const stack: unknown = typeof error === "object" && error !== null && "stack" in error ? error.stack : undefined;
  return typeof stack === "string" ? stack : "";
}

/** Texts without spaces as they are, errors by their message. */
function fieldText(value: unknown): string {
  if (typeof value === "string") return /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value);
  const isError = typeof value === "object" && value !== null && "message" in value && "type" in value;
  return JSON.stringify(isError ? value.message : value) ?? "";
}

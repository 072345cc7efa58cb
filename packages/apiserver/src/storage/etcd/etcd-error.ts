/** What an etcd did instead of doing what it was asked. */
export type EtcdReason =
  /** No answer that could be relied on: it may have been done, or be done yet. */
  | "Unknown"
  /** It said no, and has not done it. */
  | "Refused";

/** An etcd did not do what it was asked, or did not say that it has. Decide on `reason`, never on the message. */
export class EtcdError extends Error {
  override readonly name = "EtcdError";
  readonly reason: EtcdReason;

  constructor(reason: EtcdReason, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** Whether it is unknown what came of a request to an etcd. */
export function isUnknown(error: unknown): boolean {
  return error instanceof EtcdError && error.reason === "Unknown";
}

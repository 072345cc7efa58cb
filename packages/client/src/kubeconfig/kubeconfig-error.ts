/** A kubeconfig is missing or invalid. The message names the file, the field and the problem, and no secret. */
export class KubeconfigError extends Error {
  override readonly name = "KubeconfigError";
  /** Undefined when there is no file at all. */
  readonly file: string | undefined;
  /** Such as `users[0].user.client-key-data`; undefined when it is the file as a whole. */
  readonly field: string | undefined;

  constructor(problem: string, place: { readonly file?: string; readonly field?: string; readonly cause?: unknown } = {}) {
    const { file, field, cause } = place;
    super([file, field, problem].filter((part) => part !== undefined && part !== "").join(": "), cause === undefined ? {} : { cause });
    this.file = file;
    this.field = field === "" ? undefined : field;
  }
}

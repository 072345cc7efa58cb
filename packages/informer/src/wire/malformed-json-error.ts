/** Bytes that are not the JSON they should be. `offset` counts from the beginning of the frame or page. */
export class MalformedJsonError extends Error {
  override readonly name = "MalformedJsonError";
  readonly problem: string;
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`${problem} at offset ${offset}`);
    this.problem = problem;
    this.offset = offset;
  }
}

/** One thing that keeps a definition from becoming a CustomResourceDefinition: where it is, what it is, what to write instead. */
export interface Problem {
  /** Path in the definition, such as `spec.schedule` or `columns.Ready`; empty for the definition itself. */
  readonly path: string;
  readonly message: string;
}

/** A resource cannot be defined like this. Its author fixes it; the message has one line for each problem. */
export class DefinitionError extends TypeError {
  override readonly name = "DefinitionError";
  readonly problems: readonly Problem[];

  constructor(subject: string, problems: readonly Problem[]) {
    const lines = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
    const text = lines.length === 1 ? lines.join("") : `${lines.length} problems\n  ${lines.join("\n  ")}`;
    super(`cannot define ${subject}: ${text}`);
    this.problems = problems;
  }
}

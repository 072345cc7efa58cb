/** Where a field stands in an object, written as Kubernetes writes it: `spec.containers[0].env[PATH]`. */
export class FieldPath {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** The object itself. */
  static readonly root: FieldPath = new FieldPath("");

  /** A path that starts with these fields. */
  static of(...names: readonly string[]): FieldPath {
    return FieldPath.root.child(...names);
  }

  /** A field, or a field of a field. */
  child(...names: readonly string[]): FieldPath {
    let text = this.#text;
    for (const name of names) if (name !== "") text = text === "" ? name : `${text}.${name}`;
    return new FieldPath(text);
  }

  /** An item of a list. */
  index(position: number): FieldPath {
    return this.key(String(position));
  }

  /** An entry of a map. */
  key(name: string): FieldPath {
    return new FieldPath(`${this.#text}[${name}]`);
  }

  toString(): string {
    return this.#text;
  }
}

import { dirname, resolve } from "node:path";
import { KubeconfigError } from "./kubeconfig-error.ts";

/** Who wrote a kubeconfig. */
export interface ConfigOrigin {
  /** Whether it may be the text of somebody who has no say on this machine. Default false. */
  readonly isOfOthers?: boolean | undefined;
}

/** A value in a kubeconfig that knows where it stands, so that whatever is wrong with it can be said by file and field. */
export class ConfigNode {
  readonly file: string;
  readonly field: string;
  readonly #value: unknown;
  readonly #isOfOthers: boolean;

  constructor(file: string, field: string, value: unknown, { isOfOthers = false }: ConfigOrigin = {}) {
    this.file = file;
    this.field = field;
    this.#value = value ?? undefined;
    this.#isOfOthers = isOfOthers;
  }

  get isAbsent(): boolean {
    return this.#value === undefined || this.#value === "";
  }

  /** A field of a mapping. That of something absent is absent too. */
  at(name: string): ConfigNode {
    const value = this.#value === undefined ? {} : this.#value;
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw this.error("must be a mapping of fields");
    const inner = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    return this.#inner(this.field === "" ? name : `${this.field}.${name}`, inner);
  }

  /** The items of a list; none if it is absent. */
  items(): readonly ConfigNode[] {
    if (this.#value === undefined) return [];
    if (!Array.isArray(this.#value)) throw this.error("must be a list");
    return this.#value.map((item: unknown, index) => this.#inner(`${this.field}[${index}]`, item));
  }

  /** The names of a mapping's fields; none if it is absent. */
  names(): readonly string[] {
    if (this.#value === undefined) return [];
    if (typeof this.#value !== "object" || this.#value === null || Array.isArray(this.#value))
      throw this.error("must be a mapping of fields");
    return Object.keys(this.#value);
  }

  /** A text; undefined if it is absent or empty. */
  text(): string | undefined {
    if (this.isAbsent) return undefined;
    if (typeof this.#value !== "string") throw this.error("must be text; if it is, put it into quotes");
    return this.#value;
  }

  requiredText(): string {
    const text = this.text();
    if (text === undefined) throw this.error("is missing");
    return text;
  }

  flag(): boolean {
    if (this.isAbsent) return false;
    if (typeof this.#value !== "boolean") throw this.error("must be true or false");
    return this.#value;
  }

  /** The text behind base64. */
  decoded(): string | undefined {
    const text = this.text()?.replaceAll(/\s/g, "");
    if (text === undefined) return undefined;
    if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw this.error("is not base64");
    return Buffer.from(text, "base64").toString("utf8");
  }

  /** The path of a file: relative to the folder of the kubeconfig. */
  path(): string | undefined {
    const text = this.text();
    if (text !== undefined) this.requireOwn("a file");
    return text === undefined ? undefined : resolve(dirname(this.file), text);
  }

  /** Refuses a file or a program of this machine in what others wrote: it would be used with the rights of this process. */
  requireOwn(what: string): void {
    if (this.#isOfOthers)
      throw this.error(`names ${what} of this machine, which a kubeconfig that is given as text may not; put into it what is needed`);
  }

  /** The value as it was parsed, unchecked. */
  raw(): unknown {
    return this.#value;
  }

  /** What is wrong with it. */
  error(problem: string, cause?: unknown): KubeconfigError {
    return new KubeconfigError(problem, { file: this.file, field: this.field, cause });
  }

  #inner(field: string, value: unknown): ConfigNode {
    return new ConfigNode(this.file, field, value, { isOfOthers: this.#isOfOthers });
  }
}

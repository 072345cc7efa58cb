/** The package part of a name: `core.v1` of `core.v1.PodSpec`. */
export function packageOf(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}

/** One file of types: collects declarations and the imports that they turn out to need. */
export class TypeFile {
  readonly #package: string;
  /** Names taken at the top level, imports included. */
  readonly #taken: Set<string>;
  readonly #declarations: (readonly [sortKey: string, text: string])[] = [];
  readonly #coreTypes = new Set<string>();
  readonly #coreValues = new Set<string>();
  /** By package, what is imported from it under which name. */
  readonly #imports = new Map<string, Map<string, string>>();

  constructor(name: string, declared: readonly string[]) {
    this.#package = name;
    this.#taken = new Set(declared);
  }

  declare(sortKey: string, text: string): void {
    this.#declarations.push([sortKey, text]);
  }

  /** Refers to a type of `@kaji/core`. */
  core(name: string): string {
    if (this.#taken.has(name)) throw new Error(`${this.#package} declares ${name}, which is a type of core`);
    this.#coreTypes.add(name);
    return name;
  }

  /** Refers to a value of `@kaji/core`. */
  coreValue(name: string): string {
    this.#coreValues.add(name);
    return name;
  }

  /** Refers to a type of this or another file by its full name; one that would clash is imported under a longer name. */
  reference(name: string): string {
    const from = packageOf(name);
    const local = name.slice(from.length + 1);
    if (from === this.#package) return local;
    const names = this.#imports.get(from) ?? new Map<string, string>();
    this.#imports.set(from, names);
    const known = names.get(local);
    if (known !== undefined) return known;
    const alias = this.#taken.has(local) ? `${from.slice(0, 1).toUpperCase()}${from.slice(1, from.indexOf("."))}${local}` : local;
    this.#taken.add(alias);
    names.set(local, alias);
    return alias;
  }

  text(): string {
    const declarations = this.#declarations.toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, text]) => `${text}\n`);
    const imports = this.#importLines().map((line) => `${line}\n`);
    return [imports.join(""), ...declarations].filter((part) => part !== "").join("\n");
  }

  #importLines(): readonly string[] {
    const lines = [];
    if (this.#coreValues.size > 0) lines.push(`import { ${[...this.#coreValues].toSorted().join(", ")} } from "@kaji/core";`);
    if (this.#coreTypes.size > 0) lines.push(`import type { ${[...this.#coreTypes].toSorted().join(", ")} } from "@kaji/core";`);
    for (const [from, names] of [...this.#imports].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
      const specifiers = [...names].map(([name, alias]) => (name === alias ? name : `${name} as ${alias}`)).toSorted();
      lines.push(`import type { ${specifiers.join(", ")} } from "../${from.replace(".", "/")}.ts";`);
    }
    return lines;
  }
}

import { packageOf } from "./type-file.ts";
import type { FieldFact, StructFact } from "./struct-facts.ts";
import { shortName } from "./struct-names.ts";

/** The named types of which OpenAPI lists the values: `core.v1.Protocol` is `"SCTP" | "TCP" | "UDP"`. */
export class EnumTypes {
  readonly #values: ReadonlyMap<string, string>;

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  /** The name of the type of a field's values; undefined when it has none of its own. */
  nameOf({ scalarName }: FieldFact): string | undefined {
    const name = scalarName === undefined ? undefined : shortName(scalarName);
    return name !== undefined && this.#values.has(name) ? name : undefined;
  }

  valuesOf(name: string): string {
    const values = this.#values.get(name);
    if (values === undefined) throw new Error(`${name} is not an enumeration`);
    return values;
  }

  namesIn(packageName: string): readonly string[] {
    return [...this.#values.keys()].filter((name) => packageOf(name) === packageName).map((name) => name.slice(packageName.length + 1));
  }
}

/** Finds the enumerations among the fields of the published structs, in the packages of these structs. */
export function enumTypes(published: readonly StructFact[], structs: readonly StructFact[]): EnumTypes {
  const packages = new Set(published.map(({ name }) => packageOf(name)));
  const values = new Map<string, string>();
  for (const { fields } of structs) {
    for (const { scalarName, enum: allowed } of fields) {
      if (scalarName === undefined || allowed === undefined) continue;
      const name = shortName(scalarName);
      const text = allowed.map((value) => JSON.stringify(value)).join(" | ");
      if (!packages.has(packageOf(name))) continue;
      if ((values.get(name) ?? text) !== text) throw new Error(`${name} has different values in different fields`);
      values.set(name, text);
    }
  }
  return new EnumTypes(values);
}

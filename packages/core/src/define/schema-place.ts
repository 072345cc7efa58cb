import type { z } from "zod";
import type { Problem } from "./definition-error.ts";

/** Where in a definition a conversion is, and whom it tells what it cannot convert. */
export class SchemaPlace {
  readonly path: string;
  readonly #problems: Problem[];
  readonly #ancestors: readonly z.core.$ZodType[];

  private constructor(path: string, problems: Problem[], ancestors: readonly z.core.$ZodType[]) {
    this.path = path;
    this.#problems = problems;
    this.#ancestors = ancestors;
  }

  /** A place with nothing around it, which adds to this list. */
  static at(path: string, problems: Problem[]): SchemaPlace {
    return new SchemaPlace(path, problems, []);
  }

  field(name: string): SchemaPlace {
    return new SchemaPlace(this.path === "" ? name : `${this.path}.${name}`, this.#problems, this.#ancestors);
  }

  /** Any item of the list, or any entry of the map, that stands here. */
  each(): SchemaPlace {
    return new SchemaPlace(`${this.path}[*]`, this.#problems, this.#ancestors);
  }

  /** The same place, inside that schema. */
  inside(schema: z.core.$ZodType): SchemaPlace {
    return new SchemaPlace(this.path, this.#problems, [...this.#ancestors, schema]);
  }

  isInside(schema: z.core.$ZodType): boolean {
    return this.#ancestors.includes(schema);
  }

  report(message: string): void {
    this.#problems.push({ path: this.path, message });
  }
}

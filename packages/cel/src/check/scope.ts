import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  timestampType,
  typeOfType,
  typeParam,
  typeType,
  uintType,
} from "./type.ts";
import type { Type } from "./type.ts";

/** The names that may be used somewhere. */
export class Scope {
  readonly #names: ReadonlyMap<string, Type>;
  readonly #outer: Scope | undefined;

  private constructor(names: ReadonlyMap<string, Type>, outer: Scope | undefined) {
    this.#names = names;
    this.#outer = outer;
  }

  /** The names of types, and these variables. */
  static of(variables: Readonly<Record<string, Type>>): Scope {
    return new Scope(new Map(Object.entries(variables)), new Scope(typeNames, undefined));
  }

  /** What a name stands for, which may have a dot in front; undefined when it stands for nothing. */
  lookup(name: string): { readonly name: string; readonly type: Type } | undefined {
    const bare = name.replace(/^\./, "");
    const type = this.#names.get(bare);
    return type === undefined ? this.#outer?.lookup(bare) : { name: bare, type };
  }

  /** A scope inside this one. */
  with(names: readonly (readonly [string, Type])[]): Scope {
    return new Scope(new Map(names), this);
  }
}

const [itemParam, valueParam] = [typeParam("A"), typeParam("B")];

const typeNames: ReadonlyMap<string, Type> = new Map(
  [
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    listType(itemParam),
    mapType(itemParam, valueParam),
    nullType,
    stringType,
    timestampType,
    typeType,
    uintType,
    optionalType(valueParam),
    opaqueType("net.IP"),
    opaqueType("net.CIDR"),
  ].map((type) => [type.name, typeOfType(type)]),
);

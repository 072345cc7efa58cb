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
  readonly #moreTypes: (name: string) => Type | undefined;

  private constructor(
    names: ReadonlyMap<string, Type>,
    outer: Scope | undefined,
    moreTypes: (name: string) => Type | undefined = () => undefined,
  ) {
    this.#names = names;
    this.#outer = outer;
    this.#moreTypes = moreTypes;
  }

  /** A scope with the names of types, those that `moreTypes` knows included, and these variables. */
  static of(variables: Readonly<Record<string, Type>>, moreTypes: (name: string) => Type | undefined = () => undefined): Scope {
    return new Scope(new Map(Object.entries(variables)), new Scope(typeNames, undefined, moreTypes));
  }

  /** What a name stands for, which may have a dot in front; undefined when it stands for nothing. */
  lookup(name: string): { readonly name: string; readonly type: Type } | undefined {
    const bare = name.replace(/^\./, "");
    const type = this.#names.get(bare);
    if (type !== undefined) return { name: bare, type };
    const more = this.#moreTypes(bare);
    return more === undefined ? this.#outer?.lookup(bare) : { name: bare, type: typeOfType(more) };
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

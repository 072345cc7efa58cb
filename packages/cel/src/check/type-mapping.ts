import { dynType, isDyn, isDynOrError, listType, mapType, sameType, typeOfType } from "./type.ts";
import type { Type } from "./type.ts";

/** What type parameters stand for, found out while checking. */
export class TypeMapping {
  readonly #types = new Map<string, Type>();
  /** The undo log of the assignment that is being tried, oldest first. */
  #undo: (readonly [name: string, type: Type | undefined])[] = [];

  /** Whether a value of one type may stand where the other is wanted. If so, what the type parameters then stand for is kept. */
  assign(from: Type, to: Type): boolean {
    return this.assignAll([from], [to]);
  }

  /** The same for lists of types of one length. */
  assignAll(from: readonly Type[], to: readonly Type[]): boolean {
    this.#undo = [];
    if (this.#allAssignable(from, to)) return true;
    for (const [name, type] of this.#undo.toReversed()) {
      if (type === undefined) this.#types.delete(name);
      else this.#types.set(name, type);
    }
    return false;
  }

  /** The type with all parameters replaced that are known; others stay, or become `dyn`. */
  substitute(type: Type, unknown: "kept" | "dyn"): Type {
    const found = type.kind === "typeParam" ? this.#types.get(type.name) : undefined;
    if (found !== undefined) return this.substitute(found, unknown);
    if (type.kind === "typeParam") return unknown === "dyn" ? dynType : type;
    if (type.parameters.length === 0) return type;
    const parameters = type.parameters.map((parameter) => this.substitute(parameter, unknown));
    const [first = dynType, second = dynType] = parameters;
    switch (type.kind) {
      case "list":
        return listType(first);
      case "map":
        return mapType(first, second);
      case "type":
        return typeOfType(first);
      default:
        return { ...type, parameters };
    }
  }

  #set(parameter: Type, type: Type): void {
    this.#undo.push([parameter.name, this.#types.get(parameter.name)]);
    this.#types.set(parameter.name, type);
  }

  #allAssignable(from: readonly Type[], to: readonly Type[]): boolean {
    return from.length === to.length && from.every((type, index) => this.#assignable(type, to[index] ?? dynType));
  }

  #assignable(from: Type, to: Type): boolean {
    if (to.kind === "typeParam") {
      const { valid, known } = this.#substitutes(from, to);
      if (valid || known) return valid;
    }
    if (from.kind === "typeParam") return this.#substitutes(to, from).valid;
    if (isDynOrError(from) || isDynOrError(to)) return true;
    if (from.kind === "null") return isNullable(to);
    if (to.kind === "null") return isNullable(from);
    switch (from.kind) {
      case "type":
        return to.kind === "type";
      case "opaque":
      case "list":
      case "map":
        return from.kind === to.kind && from.name === to.name && this.#allAssignable(from.parameters, to.parameters);
      default:
        return sameType(from, to);
    }
  }

  /** Whether a parameter may stand for a type, and whether it stood for something before. */
  #substitutes(type: Type, parameter: Type): { readonly valid: boolean; readonly known: boolean } {
    if (sameType(type, parameter)) return { valid: true, known: true };
    const before = this.#types.get(parameter.name);
    if (before === undefined) {
      const valid = !this.#occursIn(parameter, type);
      if (valid) this.#set(parameter, type);
      return { valid, known: false };
    }
    if (sameType(type, before)) return { valid: true, known: true };
    if (!this.#assignable(type, before)) return { valid: false, known: true };
    const general = mostGeneral(type, before);
    if (!this.#occursIn(parameter, general)) this.#set(parameter, general);
    return { valid: true, known: true };
  }

  /** Whether a parameter is part of a type, which it then cannot stand for. */
  #occursIn(parameter: Type, type: Type): boolean {
    if (sameType(parameter, type)) return true;
    if (type.kind === "typeParam") {
      const known = this.#types.get(type.name);
      return known !== undefined && this.#occursIn(parameter, known);
    }
    return type.parameters.some((part) => this.#occursIn(parameter, part));
  }
}

/** The more general of two compatible types. */
export function mostGeneral(left: Type, right: Type): Type {
  return isEqualOrLessSpecific(left, right) ? left : right;
}

function isEqualOrLessSpecific(left: Type, right: Type): boolean {
  if (isDyn(left) || left.kind === "typeParam") return true;
  if (isDyn(right) || right.kind === "typeParam" || left.kind !== right.kind) return false;
  switch (left.kind) {
    case "opaque":
    case "list":
    case "map":
      return (
        left.name === right.name &&
        left.parameters.length === right.parameters.length &&
        left.parameters.every((parameter, index) => isEqualOrLessSpecific(parameter, right.parameters[index] ?? dynType))
      );
    case "type":
      return true;
    default:
      return sameType(left, right);
  }
}

function isNullable({ kind }: Type): boolean {
  return kind === "null" || kind === "opaque" || kind === "struct" || kind === "duration" || kind === "timestamp";
}

import type { ErrorValue, Value } from "../value/value.ts";
import type { Type, ValueOf } from "./type.ts";

/** One form of a function. */
export interface Overload {
  readonly id: string;
  /** Whether it is called on its first argument, as in `text.trim()`. */
  readonly isMember: boolean;
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Called with values of the types of the parameters only, and never with an error. */
  readonly call: Implementation;
  /** What a call costs, when the function's name does not tell. */
  readonly cost?: CallCost;
  /** The implementation for arguments of which some are constant, so that what they mean is found out once; an error when they mean nothing. */
  readonly specialize?: (constants: readonly (Value | undefined)[]) => Implementation | ErrorValue | undefined;
}

export type Implementation = (...args: readonly Value[]) => Value;

/** What a call costs, in the units of the cost limit. */
export type CallCost = (args: readonly Value[], result: Value) => number;

/** A function with all its forms. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** Whether every form is the same implementation, which looks at the values itself: as operators are. */
  readonly isOperator?: boolean;
}

/** Functions by name. */
export type FunctionTable = ReadonlyMap<string, FunctionDeclaration>;

type Values<P extends readonly Type[]> = { readonly [K in keyof P]: ValueOf<P[K]> };

/** A form that is called by the name of the function alone. */
export function overload<const P extends readonly Type[]>(
  id: string,
  parameters: P,
  result: Type,
  call: (...args: Values<P>) => Value,
  cost?: CallCost,
): Overload {
  // The evaluator checks the arguments against the parameters, so the implementation gets what it is declared for.
  return { id, isMember: false, parameters, result, call: call as Implementation, ...(cost === undefined ? {} : { cost }) };
}

/** A form that is called on its first argument. */
export function memberOverload<const P extends readonly Type[]>(
  id: string,
  parameters: P,
  result: Type,
  call: (...args: Values<P>) => Value,
  cost?: CallCost,
): Overload {
  return { ...overload(id, parameters, result, call, cost), isMember: true };
}

export function declare(name: string, ...overloads: readonly Overload[]): FunctionDeclaration {
  return { name, overloads };
}

/** An operator: which types it is for, and the one implementation for all of them. */
export function operator(
  name: string,
  types: readonly (readonly [id: string, parameters: readonly Type[], result: Type])[],
  call: Implementation,
): FunctionDeclaration {
  const overloads = types.map(([id, parameters, result]) => ({ id, isMember: false, parameters, result, call }));
  return { name, overloads, isOperator: true };
}

/** All functions of several libraries; a function may be declared by more than one of them. */
export function functionTable(libraries: readonly (readonly FunctionDeclaration[])[]): FunctionTable {
  const table = new Map<string, FunctionDeclaration>();
  for (const declaration of libraries.flat()) {
    const { name, overloads } = declaration;
    const before = table.get(name);
    table.set(name, before === undefined ? declaration : { ...before, overloads: [...before.overloads, ...overloads] });
  }
  return table;
}

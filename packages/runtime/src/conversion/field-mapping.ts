import type { Complete, FieldsIn, FieldsOfType, SharedFields, ValueAt } from "./field-types.ts";

/** How fields of one version become fields of the hub, and back. */
export interface FieldMapping<S extends string = string, H extends string = string> {
  /** The fields of the other version that are mapped; whatever is in them is mapped with them. */
  readonly spoke: readonly S[];
  /** The fields of the hub that are mapped. */
  readonly hub: readonly H[];
  /** From what the fields of the one side are to what those of the other shall be, in the order of their paths. */
  readonly toHub: (values: readonly unknown[]) => readonly unknown[];
  readonly fromHub: (values: readonly unknown[]) => readonly unknown[];
  /** Why what is in these fields does not survive, if it does not. */
  readonly lossy?: string;
  /** Whether it survives beside the object, in an annotation. */
  readonly isKept?: true;
  /** Whether what the forms do not bring back survives there. */
  readonly keepsOriginal?: true;
}

/** Makes the mappings between a version `S` and the hub `H`. */
export interface FieldMapper<S, H> {
  /** A field that is the same in both. */
  readonly same: <const P extends SharedFields<S, H>>(path: P) => FieldMapping<P, P>;
  /** A field that has another place in the hub. */
  readonly move: <const P extends FieldsIn<S>, const Q extends FieldsOfType<H, ValueAt<S, P>>>(spoke: P, hub: Q) => FieldMapping<P, Q>;
  /** A field, or several as a list, of another form in the hub. */
  readonly map: <const P extends Places<S>, const Q extends Places<H>>(
    spoke: P,
    hub: Q,
    forms: {
      readonly toHub: (value: ValuesAt<S, P>) => CompleteAt<H, Q>;
      readonly fromHub: (value: ValuesAt<H, Q>) => CompleteAt<S, P>;
      /** Keeps in an annotation what the forms do not bring back, such as the order of what becomes two lists. It comes back unless the fields are changed on the other side. */
      readonly keep?: true;
    },
  ) => FieldMapping<PathsOf<P>, PathsOf<Q>>;
  /** A field that only one side has: on the other its value is in an annotation. An object that was made there has the given one, or none. */
  readonly keep: <const P extends FieldsIn<S> = never, const Q extends FieldsIn<H> = never>(
    field: OneSided<S, H, P, Q>,
  ) => FieldMapping<NoInfer<P>, NoInfer<Q>>;
  /** A field that only one side has: its value is lost on the way to the other, and coming back it has the given one, or none. */
  readonly lossy: <const P extends FieldsIn<S> = never, const Q extends FieldsIn<H> = never>(
    field: OneSided<S, H, P, Q> & {
      /** Why it may be lost. */
      readonly because: string;
    },
  ) => FieldMapping<NoInfer<P>, NoInfer<Q>>;
}

type Places<T> = FieldsIn<T> | readonly [FieldsIn<T>, ...FieldsIn<T>[]];

type PathsOf<P> = P extends readonly (infer Path extends string)[] ? Path : Extract<P, string>;

type ValuesAt<T, P> = P extends string ? ValueAt<T, P> : { readonly [I in keyof P]: ValueAt<T, Extract<P[I], string>> };

type CompleteAt<T, P> = P extends string
  ? Complete<ValueAt<T, P>>
  : { readonly [I in keyof P]: Complete<ValueAt<T, Extract<P[I], string>>> };

/** A field of the one side or the other. One signature for both sides has the compiler complain of the side that is meant. */
type OneSided<S, H, P extends string, Q extends string> = { readonly spoke?: P; readonly hub?: Q } & ([P] extends [never]
  ? { readonly hub: Q } & StandIn<H, Q>
  : { readonly hub?: never } & StandIn<S, P>);

/** What stands in for a field where it is not: needed unless the field may be absent. */
type StandIn<T, P extends string> =
  undefined extends ValueAt<T, P> ? { readonly value?: ValueAt<T, P> } : { readonly value: ValueAt<T, P> };

/** The same without types: the paths have been checked by the compiler. */
export const fieldMapper: UncheckedMapper = {
  same: (path) => ({ spoke: [path], hub: [path], toHub: unchanged, fromHub: unchanged }),
  move: (spoke, hub) => ({ spoke: [spoke], hub: [hub], toHub: unchanged, fromHub: unchanged }),
  map: (spoke, hub, { toHub, fromHub, keep }) => ({
    spoke: listOf(spoke),
    hub: listOf(hub),
    toHub: (values) => asList(hub, toHub(asValue(spoke, values))),
    fromHub: (values) => asList(spoke, fromHub(asValue(hub, values))),
    ...(keep === undefined ? {} : { keepsOriginal: keep }),
  }),
  keep: (field) => ({ ...oneSided(field), isKept: true }),
  lossy: ({ because, ...field }) => ({ ...oneSided(field), lossy: because }),
};

/** A field that has no counterpart: what stands in for it comes from nowhere. */
function oneSided({ spoke, hub, value }: UncheckedField): FieldMapping {
  return {
    spoke: spoke === undefined ? [] : [spoke],
    hub: hub === undefined ? [] : [hub],
    toHub: () => (hub === undefined ? [] : [value]),
    fromHub: () => (spoke === undefined ? [] : [value]),
  };
}

interface UncheckedMapper {
  readonly same: (path: string) => FieldMapping;
  readonly move: (spoke: string, hub: string) => FieldMapping;
  readonly map: (spoke: UncheckedPlaces, hub: UncheckedPlaces, forms: UncheckedForms) => FieldMapping;
  readonly keep: (field: UncheckedField) => FieldMapping;
  readonly lossy: (field: UncheckedField & { readonly because: string }) => FieldMapping;
}

interface UncheckedField {
  readonly spoke?: string;
  readonly hub?: string;
  readonly value?: unknown;
}

type UncheckedPlaces = string | readonly string[];

interface UncheckedForms {
  readonly toHub: (value: unknown) => unknown;
  readonly fromHub: (value: unknown) => unknown;
  readonly keep?: true;
}

function unchanged(values: readonly unknown[]): readonly unknown[] {
  return values;
}

function listOf(places: UncheckedPlaces): readonly string[] {
  return typeof places === "string" ? [places] : places;
}

/** What a form is given: the value itself, or the list of values where there is a list of places. */
function asValue(places: UncheckedPlaces, values: readonly unknown[]): unknown {
  return typeof places === "string" ? values[0] : values;
}

function asList(places: UncheckedPlaces, value: unknown): readonly unknown[] {
  if (typeof places === "string") return [value];
  if (!Array.isArray(value) || value.length !== places.length)
    throw new TypeError(`a mapping to ${places.join(", ")} must return a list of ${places.length} values`);
  return value;
}

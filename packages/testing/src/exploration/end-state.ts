import { isJsonArray, isJsonObject, parseJson, structuralEqual } from "@kaji/core";
import type { DynamicObject, JsonObject, JsonValue } from "@kaji/core";
import { Event } from "@kaji/types/events/v1";
import { outsideText } from "../simulation/external-world.ts";
import { freeName } from "../simulation/free-name.ts";
import { kindName, kindOfId, stableName } from "../simulation/object-id.ts";
import type { ObjectId } from "../simulation/object-id.ts";
import { byWhose, givenOut } from "./given-out.ts";
import { itemName } from "./item-name.ts";
import type { MaskedFields } from "./masked-fields.ts";
import { editMark } from "../simulation/other-client.ts";
import { toldApart, toldShort } from "./told-apart.ts";
import { steady } from "../simulation/write-signature.ts";

/** The objects that a run left, less all that differs from run to run. Objects whose names the server made are known by their prefix. */
export type EndState = ReadonlyMap<string, JsonValue>;

/** The name of all that there is outside the cluster. */
export const outsideSubject = "outside";

/** Which objects count. */
export interface EndStateScope {
  /** The kinds that the operator has to do with, such as `Deployment.apps`. */
  readonly kinds: Pick<ReadonlySet<string>, "has">;
  /** Those whose status is the operator's. */
  readonly ownStatus: ReadonlySet<string>;
  /** What was there from the beginning. */
  readonly baseline: ReadonlySet<ObjectId>;
  /** Fields that do not count. */
  readonly masked: MaskedFields;
  /** What is left of objects that have been looked at before. */
  readonly contents: WeakMap<DynamicObject, JsonValue>;
}

/** The kinds of an operator that learns only at run time which those are: all, less what is said of objects. */
export const everyKind: EndStateScope["kinds"] = { has: (kind) => kind !== kindName(Event.group, Event.kind) };

/** A place where two states differ. */
export interface Difference {
  readonly object: string;
  /** Where in it; empty if it is there in one of them only. */
  readonly path: string;
  readonly expected: JsonValue | undefined;
  readonly actual: JsonValue | undefined;
}

/** The state that objects are in, as far as it counts. */
export function endState(
  objects: ReadonlyMap<ObjectId, DynamicObject>,
  external: object,
  { kinds, ownStatus, baseline, contents, masked }: EndStateScope,
): EndState {
  const found: [string, JsonValue][] = [];
  const given = givenOut(objects);
  for (const [id, object] of objects) {
    const kind = kindOfId(id);
    if (!kinds.has(kind) || baseline.has(id)) continue;
    const content = contents.get(object) ?? masked.without(kind, contentOf(object, ownStatus.has(kind)));
    contents.set(object, content);
    found.push([stableName(id, object), given.size === 0 ? content : byWhose(content, given)]);
  }
  // Objects that differ in nothing but a name the server made are alike, and in no order.
  found.sort((left, right) => compare(left[0], right[0]) || compare(JSON.stringify(left[1]), JSON.stringify(right[1])));
  const state = new Map<string, JsonValue>();
  const last = new Map<string, number>();
  for (const [id, content] of found) state.set(freeName(state, id, last), content);
  state.set(outsideSubject, steady(parseJson(outsideText(external))));
  return state;
}

/** Where two states differ. */
export function differences(expected: EndState, actual: EndState): readonly Difference[] {
  const found: Difference[] = [];
  for (const object of new Set([...expected.keys(), ...actual.keys()])) {
    const [before, after] = [expected.get(object), actual.get(object)];
    if (before === undefined || after === undefined) found.push({ object, path: "", expected: before, actual: after });
    else compareValues(object, "", before, after, found);
  }
  return found;
}

/** Says a difference in a line. */
export function differenceText(difference: Difference): string {
  const { object, path, expected, actual } = narrowed(difference);
  if (path === "") return actual === undefined ? `${object} is missing` : `${object} should not be there`;
  if (object === outsideSubject && expected === undefined) return `${object}: ${path} is left over: ${toldShort(actual)}`;
  if (object === outsideSubject && actual === undefined) return `${object}: ${path} is missing`;
  const [found, wanted] = toldApart(actual, expected);
  return `${object}: ${path} is ${found}, not ${wanted}`;
}

function compareValues(
  object: string,
  path: string,
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  found: Difference[],
): void {
  if (saysTheSame({ object, path, expected, actual })) return;
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)]))
      compareValues(object, path === "" ? key : `${path}.${key}`, expected[key], actual[key], found);
  } else {
    found.push({ object, path: path === "" ? "(all)" : path, expected, actual });
  }
}

/** In a status, what is empty says as little as what is absent: it is what remains when the last of it is removed. */
function saysTheSame({ object, path, expected, actual }: Difference): boolean {
  if (expected !== undefined && actual !== undefined && structuralEqual(expected, actual)) return true;
  if (object === outsideSubject || !/^status(?:[.[]|$)/.test(path)) return false;
  const [before, after] = [substance(expected), substance(actual)];
  return before === undefined || after === undefined ? before === after : structuralEqual(before, after);
}

/** A value less all that is empty in it; undefined if nothing is left. An item of a list counts for being there. */
function substance(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined) return undefined;
  if (isJsonArray(value)) return value.length === 0 ? undefined : value.map((item) => substance(item) ?? {});
  if (!isJsonObject(value)) return value;
  const left = Object.entries(value).flatMap(([key, inside]): readonly (readonly [string, JsonValue])[] => {
    const kept = substance(inside);
    return kept === undefined ? [] : [[key, kept]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** The first place inside two lists at which they differ: two long lists begin alike. */
function narrowed(difference: Difference): Difference {
  const { object, path, expected, actual } = difference;
  if (expected === undefined || actual === undefined || !isJsonArray(expected) || !isJsonArray(actual)) return difference;
  const items = Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) => [expected[index], actual[index]] as const);
  // An item that is empty is one more than none.
  const index = items.findIndex(
    ([before, after], at) =>
      before === undefined || after === undefined || !saysTheSame({ object, path: `${path}[${at}]`, expected: before, actual: after }),
  );
  const [before, after] = items[index] ?? [];
  const at = `${path}[${itemName(before ?? after) || index}]`;
  if (before === undefined || after === undefined) return { object, path: at, expected: before, actual: after };
  const found: Difference[] = [];
  compareValues(object, at, before, after, found);
  return found[0] === undefined ? difference : narrowed(found[0]);
}

function contentOf(object: DynamicObject, withStatus: boolean): JsonValue {
  const { metadata, status, ...rest } = object;
  const { ownerReferences: owners = [], annotations = {}, finalizers = [], name: _name, generateName: _generateName, ...meta } = metadata;
  const notes = Object.entries(annotations).filter(([key]) => !isAside(key));
  // An object of the API is JSON.
  const said = withStatus && status !== undefined ? statusContent(steady(status as JsonValue)) : undefined;
  const content: Record<string, unknown> = {
    ...rest,
    metadata: {
      ...meta,
      ...(owners.length === 0 ? {} : { ownerReferences: owners.map(({ kind, name }) => ({ kind, name })) }),
      // They have no order, nor do conditions.
      ...(finalizers.length === 0 ? {} : { finalizers: finalizers.toSorted(compare) }),
      ...(notes.length === 0 ? {} : { annotations: Object.fromEntries(notes) }),
    },
    ...(said === undefined ? {} : { status: said }),
  };
  return steady(content as JsonObject);
}

/** Conditions have no order. When they came about, which differs from run to run, gives them none either. */
function statusContent(status: JsonValue): JsonObject {
  if (!isJsonObject(status)) return {};
  if (!isJsonArray(status["conditions"])) return status;
  const conditions = status["conditions"].toSorted(
    (left, right) => compare(itemName(left), itemName(right)) || compare(JSON.stringify(left), JSON.stringify(right)),
  );
  return { ...status, conditions };
}

function isAside(annotation: string): boolean {
  return annotation.startsWith(editMark) || annotation === "deployment.kubernetes.io/revision";
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

import { isJsonArray, isJsonObject } from "@kaji/core";
import type { JsonValue, Resource } from "@kaji/core";
import { kindName } from "../simulation/object-id.ts";
import { itemName } from "./item-name.ts";

/** A field that may differ whenever the world is compared. */
export interface Mask {
  readonly resource: Resource;
  /** As reports name fields: `status.revision`, `status.conditions[Ready].message`, `metadata.annotations.example.com/revision`. */
  readonly path: string;
}

/** A mask on the way to what it names. */
interface Way {
  readonly mask: number;
  /** What of its path is left. */
  readonly rest: string;
}

/** The fields that do not count when the world is compared. Remembers which of them there were. */
export class MaskedFields {
  readonly #masks: readonly Mask[];
  readonly #ways = new Map<string, readonly Way[]>();
  readonly #met = new Set<number>();

  constructor(masks: readonly Mask[]) {
    this.#masks = masks;
    for (const [mask, { resource, path }] of masks.entries()) {
      const kind = kindName(resource.group, resource.kind);
      this.#ways.set(kind, [...(this.#ways.get(kind) ?? []), { mask, rest: path }]);
    }
  }

  /** Which masks there was something for, by their places among all. */
  get met(): readonly number[] {
    return [...this.#met];
  }

  /** Those that there was nothing for. */
  get unmet(): readonly Mask[] {
    return this.#masks.filter((_mask, index) => !this.#met.has(index));
  }

  /** Notes what was met elsewhere. */
  meet(masks: readonly number[]): void {
    for (const mask of masks) this.#met.add(mask);
  }

  pathsOf(kind: string): readonly string[] {
    return (this.#ways.get(kind) ?? []).map(({ rest }) => rest);
  }

  /** The content of an object of a kind, less what is masked. */
  without(kind: string, content: JsonValue): JsonValue {
    return this.#less(content, this.#ways.get(kind) ?? []);
  }

  #less(value: JsonValue, ways: readonly Way[]): JsonValue {
    if (ways.length === 0) return value;
    if (isJsonArray(value)) return value.flatMap((item, index) => this.#unlessMasked(item, into(ways, itemSteps(item, index))));
    if (!isJsonObject(value)) return value;
    const fields = Object.entries(value).flatMap(([key, field]) =>
      field === undefined ? [] : this.#unlessMasked(field, into(ways, [key])).map((left) => [key, left] as const),
    );
    return Object.fromEntries(fields);
  }

  #unlessMasked(value: JsonValue, ways: readonly Way[]): readonly JsonValue[] {
    const ended = ways.filter(({ rest }) => rest === "");
    this.meet(ended.map(({ mask }) => mask));
    return ended.length > 0 ? [] : [this.#less(value, ways)];
  }
}

/** Tells of a mask that there was nothing for. */
export function idleMaskText({ resource: { kind }, path }: Mask): string {
  return `The mask ${path} of ${kind} names nothing that is compared in any run: name a field as reports do, an item of a list as in status.conditions[Ready].message`;
}

/** Whether a place in an object, given by its steps, is at one of some paths or within it. */
export function isWithin(object: JsonValue, steps: readonly string[], paths: readonly string[]): boolean {
  let value: JsonValue | undefined = object;
  let ways: readonly Way[] = paths.map((rest, mask) => ({ mask, rest }));
  for (const step of steps) {
    const isItem: boolean = isJsonArray(value);
    const inner: JsonValue | undefined = isJsonArray(value) ? value[Number(step)] : isJsonObject(value) ? value[step] : undefined;
    ways = into(ways, isItem && inner !== undefined ? itemSteps(inner, Number(step)) : [step]);
    if (ways.some(({ rest }) => rest === "")) return true;
    value = inner;
  }
  return false;
}

/** Those that go on with one of these steps, less that. A key may have dots itself, as those of annotations do. */
function into(ways: readonly Way[], steps: readonly string[]): readonly Way[] {
  return ways.flatMap(({ mask, rest }) =>
    steps
      .filter((step) => rest === step || (rest.startsWith(step) && /^[.[]/.test(rest.slice(step.length))))
      .map((step) => ({ mask, rest: rest.slice(step.length).replace(/^\./, "") })),
  );
}

/** An item of a list by its name, as reports have it, and by its place. */
function itemSteps(item: JsonValue, index: number): readonly string[] {
  const name = itemName(item);
  return name === "" ? [`[${index}]`] : [`[${name}]`, `[${index}]`];
}

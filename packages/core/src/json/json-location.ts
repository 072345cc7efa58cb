import type { ContainerDrafts } from "./container-drafts.ts";
import { ownField, setField } from "./copy-on-write.ts";
import { quote } from "../go/go-quote.ts";
import { parseInt64 } from "../scalar/int64.ts";
import { parseJsonPointer } from "../patch/json-pointer.ts";
import { isJsonArray, isJsonObject } from "./json.ts";
import type { JsonArray, JsonObject, JsonValue } from "./json.ts";
import { PatchError } from "../patch/patch-error.ts";

type Container = JsonArray | JsonObject;

/** A container on the way to a location, and the key that the way takes in it. */
interface Step {
  readonly container: Container;
  readonly key: string;
}

/** Finds where a JSON pointer leads to. Undefined when there is no object or array that could have the last key. What is changed there is changed in the drafts. */
export function locate(document: JsonValue, pointer: string, drafts: ContainerDrafts): JsonLocation | undefined {
  const [first, ...rest] = parseJsonPointer(pointer) ?? [];
  if (first === undefined || !isContainer(document)) return undefined;
  const way: Step[] = [];
  let step: Step = { container: document, key: first };
  for (const key of rest) {
    const next = itemAt(step);
    if (!isContainer(next)) return undefined;
    way.push(step);
    step = { container: next, key };
  }
  return new JsonLocation(way, step, drafts);
}

/**
 * A key in one container of a document. Changes return the document as it is then, in which only the containers on the way are drafts.
 * `context` introduces the message of an index that is none.
 */
export class JsonLocation {
  /** From the document down to the container of `#step`, which is not among them. */
  readonly #way: readonly Step[];
  readonly #step: Step;
  readonly #drafts: ContainerDrafts;

  constructor(way: readonly Step[], step: Step, drafts: ContainerDrafts) {
    this.#way = way;
    this.#step = step;
    this.#drafts = drafts;
  }

  get key(): string {
    return this.#step.key;
  }

  /** Undefined when an object has no such field; an array must have the index. */
  get(context: string): JsonValue | undefined {
    const { container, key } = this.#step;
    if (isJsonArray(container) && positionOf(key, container.length) === undefined) throw invalidIndex(key, context);
    return itemAt(this.#step);
  }

  /** Whether `set` is possible: a field can always be set, an index only where there is an item. */
  get settable(): boolean {
    const { container, key } = this.#step;
    return !isJsonArray(container) || positionOf(key, container.length) !== undefined;
  }

  set(value: JsonValue): JsonValue {
    return this.#rebuild(this.#withItem(this.#step, value));
  }

  insert(value: JsonValue, context: string): JsonValue {
    const { container, key } = this.#step;
    if (!isJsonArray(container)) return this.set(value);
    const position = key === "-" ? container.length : positionOf(key, container.length + 1);
    if (position !== undefined) return this.#rebuild(this.#spliced(container, position, 0, value));
    throw invalidIndex(key, parseInt64(key) !== undefined ? context : `${context}: value was not a proper array index: '${key}'`);
  }

  remove(context: string): JsonValue {
    const { container, key } = this.#step;
    if (!isJsonArray(container)) {
      if (ownField(container, key) === undefined) {
        throw new PatchError("Invalid", `${context}: Unable to remove nonexistent key: ${key}: missing value`);
      }
      const draft = this.#drafts.object(container);
      delete draft[key];
      return this.#rebuild(draft);
    }
    const position = positionOf(key, container.length);
    if (position === undefined) throw invalidIndex(key, context);
    return this.#rebuild(this.#spliced(container, position, 1));
  }

  #rebuild(container: Container): JsonValue {
    return this.#way.reduceRight((changed, step) => this.#withItem(step, changed), container);
  }

  #withItem(step: Step, value: JsonValue): Container {
    const { container, key } = step;
    if (itemAt(step) === value) return container;
    if (isJsonArray(container)) return this.#spliced(container, positionOf(key, container.length) ?? container.length, 1, value);
    const draft = this.#drafts.object(container);
    setField(draft, key, value);
    return draft;
  }

  #spliced(container: JsonArray, position: number, removed: number, ...added: readonly JsonValue[]): JsonArray {
    const draft = this.#drafts.array(container);
    draft.splice(position, removed, ...added);
    return draft;
  }
}

function itemAt({ container, key }: Step): JsonValue | undefined {
  if (!isJsonArray(container)) return ownField(container, key);
  const position = positionOf(key, container.length);
  return position === undefined ? undefined : container[position];
}

/** A negative index counts from the end. Undefined when the key is no index of an array of this length. */
function positionOf(key: string, length: number): number | undefined {
  const index = Number(parseInt64(key) ?? length);
  const position = index < 0 ? index + length : index;
  return position >= 0 && position < length ? position : undefined;
}

function invalidIndex(key: string, context: string): PatchError {
  return new PatchError("Invalid", `${context}: ${indexProblem(key)}`);
}

function indexProblem(key: string): string {
  const index = parseInt64(key);
  if (index !== undefined) return `Unable to access invalid index: ${index}: invalid index referenced`;
  return `strconv.Atoi: parsing ${quote(key)}: ${/^[+-]?\d+$/.test(key) ? "value out of range" : "invalid syntax"}`;
}

function isContainer(value: JsonValue | undefined): value is Container {
  return isJsonArray(value) || isJsonObject(value);
}

import {
  closeBrace,
  closesObject,
  openBrace,
  openBracket,
  openObject,
  skipColon,
  skipSpace,
  skipString,
  skipValue,
  visitItems,
} from "./byte-scanner.ts";
import { hasEscape, noBytes, readString } from "./json-text.ts";
import { compilePlan } from "./scan-plan.ts";
import type { PlanField, PlanNode, ScanRequest } from "./scan-plan.ts";

/**
 * Finds fields in the text of JSON objects without parsing them.
 *
 * What it says of a field is what `JSON.parse` would make of the text: the order of fields, white space and escapes in names do not matter, and of
 * fields with the same name the last one counts. What was found is valid until the next scan.
 */
export class ObjectScanner {
  /** The text in which the last object is. */
  bytes: Buffer = noBytes;
  /** Where the object begins and ends. */
  start = 0;
  end = 0;
  /** Pairs of offsets, ascending and apart from each other: without what is between them, the object is one without the fields to cut. */
  readonly cuts: number[] = [];
  /** How many of these offsets count. Arrays that shrink and grow with every object would be so much garbage. */
  cutCount = 0;

  readonly #request: ScanRequest;
  /** Made for the first object: of many kinds there is none, and each field that is added asks for another scanner. */
  #plan: PlanNode | undefined;
  /** By number of the field: pairs of offsets, one for each value. Of each only so many count. */
  readonly #found: readonly number[][];
  readonly #counts: number[];

  constructor(request: ScanRequest) {
    this.#request = request;
    this.#found = request.find.map(() => []);
    this.#counts = request.find.map(() => 0);
  }

  /** Scans the object that begins at `start`, and returns the offset behind it. */
  scan(bytes: Buffer, start: number): number {
    this.bytes = bytes;
    this.start = start;
    this.cutCount = 0;
    const root = (this.#plan ??= compilePlan(this.#request));
    this.#forget(root, 0);
    return (this.end = this.#scanObject(root, start));
  }

  /** Where the value of a field begins, a string with its quote; -1 if the object has no such field. */
  startOf(field: number): number {
    return this.#counts[field] === 0 ? -1 : (this.#found[field]?.[0] ?? -1);
  }

  /** Where the value of a field ends. */
  endOf(field: number): number {
    return this.#counts[field] === 0 ? -1 : (this.#found[field]?.[1] ?? -1);
  }

  /** Pairs of offsets, one for each value that the path of the field leads to. */
  rangesOf(field: number): readonly number[] {
    return this.#found[field]?.slice(0, this.#counts[field]) ?? [];
  }

  #scanObject(node: PlanNode, start: number): number {
    const { bytes } = this;
    let kept = false;
    /** A bit for each field that has been there; two fields may share one. */
    let seen = 0;
    let at = openObject(bytes, start);
    if (bytes[at] === closeBrace) return at + 1;
    for (let separator = start + 1; ; at = skipSpace(bytes, at + 1)) {
      const nameEnd = skipString(bytes, at);
      const field = findField(node, bytes, at, nameEnd);
      const value = skipColon(bytes, nameEnd);
      const isCut = field === undefined ? node.cutOthers : field.cut;
      // With no field before it that stays, the comma before the first one that does is one too many.
      if (!isCut && !kept && separator > start + 1) this.#cut(separator, separator + 1);
      kept ||= !isCut;
      if (field === undefined || isCut) at = skipValue(bytes, value);
      else {
        if ((seen & field.bit) !== 0) this.#forget(field.node, start);
        seen |= field.bit;
        at = this.#scanValue(field.node, value);
      }
      if (isCut) this.#cut(separator, at);
      at = skipSpace(bytes, at);
      if (closesObject(bytes, at)) return at + 1;
      separator = at;
    }
  }

  #scanValue(node: PlanNode, start: number): number {
    const end = this.#scanInside(node, start);
    for (const number of node.here) this.#note(number, start, end);
    return end;
  }

  #scanInside(node: PlanNode, start: number): number {
    const { bytes } = this;
    const { items, fields } = node;
    if (bytes[start] === openBrace && fields.length > 0) return this.#scanObject(node, start);
    if (bytes[start] === openBracket && items !== undefined) return this.#scanItems(items, start);
    return skipValue(bytes, start);
  }

  #scanItems(node: PlanNode, start: number): number {
    return visitItems(this.bytes, start, (item) => this.#scanValue(node, item));
  }

  #note(number: number, start: number, end: number): void {
    const found = this.#found[number] ?? [];
    const count = this.#counts[number] ?? 0;
    found[count] = start;
    found[count + 1] = end;
    this.#counts[number] = count + 2;
  }

  #cut(from: number, to: number): void {
    const { cuts } = this;
    if (this.cutCount > 0 && cuts[this.cutCount - 1] === from) cuts[this.cutCount - 1] = to;
    else {
      cuts[this.cutCount++] = from;
      cuts[this.cutCount++] = to;
    }
  }

  /** Of fields with the same name the last one counts: drops what was found at or behind `since` in an earlier one. */
  #forget(node: PlanNode, since: number): void {
    for (const number of node.below) {
      let count = this.#counts[number] ?? 0;
      while (count > 0 && (this.#found[number]?.[count - 2] ?? 0) >= since) count -= 2;
      this.#counts[number] = count;
    }
  }
}

function findField(node: PlanNode, bytes: Buffer, nameStart: number, nameEnd: number): PlanField | undefined {
  for (const field of node.byLength[nameEnd - nameStart - 2] ?? none) if (isAt(bytes, nameStart + 1, field.bytes)) return field;
  if (!hasEscape(bytes, nameStart, nameEnd)) return undefined;
  const name = readString(bytes, nameStart, nameEnd);
  return node.fields.find((field) => field.name === name);
}

const none: readonly PlanField[] = [];

function isAt(bytes: Buffer, start: number, name: Uint8Array): boolean {
  for (let index = 0; index < name.length; index++) if (name[index] !== bytes[start + index]) return false;
  return true;
}

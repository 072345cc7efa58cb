import { formatApiVersion, objectKey } from "@kaji/core";
import type { GroupVersionKind, ObjectKey } from "@kaji/core";
import { malformed } from "./byte-scanner.ts";
import { isPlainString, readString, readText } from "./json-text.ts";
import { ObjectScanner } from "./object-scanner.ts";
import type { ScanPath, ScanRequest } from "./scan-plan.ts";

/** How much of each object is kept, and what is looked for in it. */
export interface IncomingOptions {
  /** Written into objects that do not state their type: items of a list of a built-in kind never do. */
  readonly type: GroupVersionKind;
  /** Whether nothing is kept but the metadata, and the type as it is given here. Default false. */
  readonly metadataOnly?: boolean;
  /** Whether `metadata.managedFields` is kept. Default false. */
  readonly managedFields?: boolean;
  /** Fields on the top level that are not kept. Default: none. */
  readonly omit?: readonly string[];
}

/**
 * An object on its way into the store: scanned where it arrived, not yet copied.
 *
 * There is one of these for all objects of an informer; it shows the object that was scanned last.
 */
export class IncomingObject {
  #scanner: ObjectScanner;
  #request: ScanRequest;
  readonly #type: { readonly apiVersion: string; readonly kind: string };
  readonly #apiVersion: Buffer;
  readonly #kind: Buffer;

  constructor({ type, metadataOnly = false, managedFields = false, omit = [] }: IncomingOptions) {
    this.#type = { apiVersion: formatApiVersion(type), kind: type.kind };
    this.#apiVersion = Buffer.from(`"apiVersion":${JSON.stringify(this.#type.apiVersion)},`);
    this.#kind = Buffer.from(`"kind":${JSON.stringify(type.kind)},`);
    this.#request = {
      find: identity,
      cut: [
        ...(managedFields ? [] : [["metadata", "managedFields"]]),
        ...(metadataOnly ? [["apiVersion"], ["kind"]] : []),
        ...omit.map((field) => [field]),
      ],
      cutOthers: metadataOnly,
    };
    this.#scanner = new ObjectScanner(this.#request);
  }

  /** Scans an object; whatever it scans, this shows. Another one after each `lookFor`. */
  get scanner(): ObjectScanner {
    return this.#scanner;
  }

  /** Looks for one more field from the next object on, and returns its number. */
  lookFor(path: ScanPath): number {
    const { find } = this.#request;
    this.#request = { ...this.#request, find: [...find, path] };
    this.#scanner = new ObjectScanner(this.#request);
    return find.length;
  }

  get key(): ObjectKey {
    const { bytes } = this.scanner;
    const [start, end] = [this.scanner.startOf(nameField), this.scanner.endOf(nameField)];
    const [namespaceStart, namespaceEnd] = [this.scanner.startOf(namespaceField), this.scanner.endOf(namespaceField)];
    const length = end - start + Math.max(0, namespaceEnd - namespaceStart);
    const isPlain = isPlainString(bytes, start, end) && (namespaceStart < 0 || isPlainString(bytes, namespaceStart, namespaceEnd));
    if (!isPlain || length > keyText.length) return this.#unusualKey();
    // Put together as bytes, so that it is one string and not three: there are as many of these as objects.
    let filled = 0;
    for (let at = namespaceStart + 1; at < namespaceEnd - 1; at++) keyText[filled++] = bytes[at] ?? 0;
    if (filled > 0) keyText[filled++] = slash;
    for (let at = start + 1; at < end - 1; at++) keyText[filled++] = bytes[at] ?? 0;
    return readText(keyText, 0, filled) as ObjectKey;
  }

  /** Whether it says that it is of the type that is given here; undefined where its own type is not kept. */
  get isOfType(): boolean | undefined {
    if (this.#request.cutOthers === true) return undefined;
    return this.#text(apiVersionField) === this.#type.apiVersion && this.#text(kindField) === this.#type.kind;
  }

  get uid(): string {
    return this.#text(uidField);
  }

  get resourceVersion(): string {
    return this.#text(resourceVersionField);
  }

  /** Whether the literal of the resource version is the one of this length at this offset. */
  isResourceVersion(bytes: Buffer, start: number, length: number): boolean {
    if (this.resourceVersionSize !== length) return false;
    const own = this.scanner.startOf(resourceVersionField);
    for (let index = 0; index < length; index++) if (this.scanner.bytes[own + index] !== bytes[start + index]) return false;
    return true;
  }

  /** The scalars that the path of a field leads to, as text. */
  valuesOf(field: number): readonly string[] {
    const ranges = this.scanner.rangesOf(field);
    const values: string[] = [];
    for (let at = 0; at < ranges.length; at += 2) {
      const value: unknown = JSON.parse(readText(this.scanner.bytes, ranges[at] ?? 0, ranges[at + 1] ?? 0));
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") values.push(String(value));
    }
    return values;
  }

  /** How many bytes `copyTo` writes. */
  get size(): number {
    return this.#placeOf(this.scanner.end);
  }

  /** How many bytes the literal of the uid has; none if there is none. */
  get uidSize(): number {
    return this.scanner.endOf(uidField) - this.scanner.startOf(uidField);
  }

  /** How many bytes the literal of the resource version has; none if there is none. */
  get resourceVersionSize(): number {
    return this.scanner.endOf(resourceVersionField) - this.scanner.startOf(resourceVersionField);
  }

  /** Writes the literals of uid and resource version, one behind the other. */
  copyIdentity(target: Buffer, at: number): void {
    const { scanner } = this;
    const behindUid = at + this.uidSize;
    if (this.uidSize > 0) scanner.bytes.copy(target, at, scanner.startOf(uidField), scanner.endOf(uidField));
    if (this.resourceVersionSize === 0) return;
    scanner.bytes.copy(target, behindUid, scanner.startOf(resourceVersionField), scanner.endOf(resourceVersionField));
  }

  /** Where the metadata will begin in what `copyTo` writes. */
  get metadataStart(): number {
    const start = this.scanner.startOf(metadataField);
    return start < 0 ? 0 : this.#placeOf(start);
  }

  /** How many bytes the metadata will have in what `copyTo` writes. */
  get metadataSize(): number {
    const end = this.scanner.endOf(metadataField);
    return end < 0 ? 0 : this.#placeOf(end) - this.metadataStart;
  }

  /** Writes the object as it is kept: with its type, without what is not kept. */
  copyTo(target: Buffer, at: number): void {
    const { bytes, start, end, cuts, cutCount } = this.scanner;
    let to = at + bytes.copy(target, at, start, start + 1);
    if (this.#lacks(apiVersionField)) to += this.#apiVersion.copy(target, to);
    if (this.#lacks(kindField)) to += this.#kind.copy(target, to);
    let from = start + 1;
    for (let index = 0; index < cutCount; index += 2) {
      to += bytes.copy(target, to, from, cuts[index]);
      from = cuts[index + 1] ?? end;
    }
    bytes.copy(target, to, from, end);
  }

  /** Where an offset of the text will be in what `copyTo` writes. */
  #placeOf(offset: number): number {
    const { start, cuts, cutCount } = this.scanner;
    let place = offset - start;
    if (this.#lacks(apiVersionField)) place += this.#apiVersion.length;
    if (this.#lacks(kindField)) place += this.#kind.length;
    for (let index = 0; index < cutCount; index += 2) {
      const from = cuts[index] ?? 0;
      if (from < offset) place -= (cuts[index + 1] ?? from) - from;
    }
    return place;
  }

  #unusualKey(): ObjectKey {
    const namespace = this.#text(namespaceField);
    const name = this.#text(nameField);
    if (name === "") malformed("an object without metadata.name", this.scanner.start);
    return objectKey({ namespace, name });
  }

  #text(field: number): string {
    const { scanner } = this;
    return readString(scanner.bytes, scanner.startOf(field), scanner.endOf(field));
  }

  #lacks(field: number): boolean {
    return this.scanner.startOf(field) < 0;
  }
}

/** Where keys are put together, each at once; longer ones than those of the API take longer. */
const keyText: Buffer = Buffer.alloc(512);
const slash = 0x2f;

const [apiVersionField, kindField, namespaceField, nameField, uidField, resourceVersionField, metadataField] = [
  0, 1, 2, 3, 4, 5, 6,
] as const;

const identity: readonly ScanPath[] = [
  ["apiVersion"],
  ["kind"],
  ["metadata", "namespace"],
  ["metadata", "name"],
  ["metadata", "uid"],
  ["metadata", "resourceVersion"],
  ["metadata"],
];

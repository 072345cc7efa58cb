/** Bytes that are not the protobuf message they claim to be. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
  /** Where in the message reading stopped, in bytes from its start. */
  readonly offset: number;

  constructor(message: string, offset: number, options?: { readonly cause: unknown }) {
    super(message, options);
    this.offset = offset;
  }
}

/** How a value is written on the wire. */
export const wire = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** Messages of Kubernetes nest a few dozen deep; JavaScript's stack bears a few thousand. */
const maxDepth = 1000;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Walks over the fields of a message and of the messages in it. Every read stays within the innermost message. */
export class ProtobufReader {
  readonly #bytes: Buffer;
  /** The next byte to read. Never beyond `#end`. */
  #position = 0;
  /** Where the innermost message ends. */
  #end: number;
  #depth = 0;
  /** The upper half of the varint read last. */
  #high = 0;
  /** Of the field whose tag was read last. */
  #wireType = 0;
  /** Where the bytes stand in the message that errors speak of. */
  readonly #base: number;

  constructor(bytes: Uint8Array, base = 0) {
    this.#base = base;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.byteLength;
  }

  get position(): number {
    return this.#position;
  }

  /** How the value of the current field is written. */
  get wireType(): number {
    return this.#wireType;
  }

  /** Reads the tag of the next field and returns its number; 0 at the end of the message. */
  nextField(): number {
    if (this.#position === this.#end) return 0;
    const tag = this.#varint();
    this.#wireType = tag & 7;
    const number = tag >>> 3;
    if (number === 0 || this.#high !== 0) throw this.error("no field has this number");
    return number;
  }

  /** Skips the value of the current field, whatever it is. */
  skip(): void {
    switch (this.#wireType) {
      case wire.varint:
        this.#varint();
        return;
      case wire.fixed64:
        this.#advance(8);
        return;
      case wire.bytes:
        this.#advance(this.#length());
        return;
      case wire.fixed32:
        this.#advance(4);
        return;
      case wire.startGroup:
        this.#skipGroup();
        return;
      case wire.endGroup:
        throw this.error("a group ends that did not start");
      default:
        throw this.error(`there is no wire type ${this.#wireType}`);
    }
  }

  /** Refuses the current field unless its value is written in this way. */
  expect(wireType: number, field: string): void {
    if (this.#wireType !== wireType) throw this.error(`field ${field} has wire type ${this.#wireType}, not ${wireType}`);
  }

  bool(): boolean {
    return (this.#varint() | this.#high) !== 0;
  }

  int32(): number {
    return this.#varint() | 0;
  }

  /** A bigint where a number could not hold the value exactly, as `parseJson` has it. */
  int64(): number | bigint {
    const low = this.#varint();
    const value = (this.#high | 0) * 0x1_0000_0000 + (low >>> 0);
    return Number.isSafeInteger(value) ? value : (BigInt(this.#high | 0) << 32n) | BigInt(low >>> 0);
  }

  float64(): number {
    const start = this.#position;
    this.#advance(8);
    const value = this.#bytes.readDoubleLE(start);
    if (!Number.isFinite(value)) throw this.error(`JSON has no number ${value}`);
    return value;
  }

  string(): string {
    const length = this.#length();
    const start = this.#position;
    this.#position += length;
    return this.#text(start, this.#position);
  }

  base64(): string {
    const length = this.#length();
    const start = this.#position;
    this.#position += length;
    return this.#bytes.toString("base64", start, this.#position);
  }

  bytes(): Uint8Array {
    const length = this.#length();
    const start = this.#position;
    this.#position += length;
    return this.#bytes.subarray(start, this.#position);
  }

  /** Goes into the message that is the value of the current field. Returns what `leave` needs to come back. */
  enter(): number {
    const length = this.#length();
    const outerEnd = this.#end;
    this.#depth += 1;
    if (this.#depth > maxDepth) throw this.error(`messages nest deeper than ${maxDepth}`);
    this.#end = this.#position + length;
    return outerEnd;
  }

  /** Goes on after a message all of whose fields were read. */
  leave(outerEnd: number): void {
    this.#depth -= 1;
    this.#end = outerEnd;
  }

  /** Whether the message entered last has more to read. */
  get hasMore(): boolean {
    return this.#position < this.#end;
  }

  error(message: string, cause?: unknown): ProtobufError {
    const offset = this.#base + this.#position;
    return new ProtobufError(`${message}, at byte ${offset}`, offset, cause === undefined ? undefined : { cause });
  }

  #advance(length: number): void {
    if (length > this.#end - this.#position) throw this.error("the message ends within a field");
    this.#position += length;
  }

  /** The length before a value; the value is known to be there. */
  #length(): number {
    const length = this.#varint();
    if (this.#high !== 0 || length < 0 || length > this.#end - this.#position) {
      throw this.error("a field is longer than the message that holds it");
    }
    return length;
  }

  /** The lower 32 bits of a varint as a signed integer; the upper ones go to `#high`. */
  #varint(): number {
    const bytes = this.#bytes;
    const end = this.#end;
    let position = this.#position;
    const first = bytes[position] ?? 0;
    if (first < 0x80 && position < end) {
      this.#position = position + 1;
      this.#high = 0;
      return first;
    }
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (position >= end) throw this.error("the message ends within a number");
      const byte = bytes[position] ?? 0;
      position += 1;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.#position = position;
        this.#high = high;
        return low;
      }
    }
    throw this.error("a number has more than 10 bytes");
  }

  #skipGroup(): void {
    for (let open = 1; open > 0;) {
      if (this.nextField() === 0) throw this.error("the message ends within a group");
      if (this.#wireType === wire.startGroup) open += 1;
      else if (this.#wireType === wire.endGroup) open -= 1;
      else this.skip();
    }
  }

  #text(start: number, end: number): string {
    const bytes = this.#bytes;
    for (let position = start; position < end; position += 1) {
      if ((bytes[position] ?? 0) >= 0x80) return this.#decodeUtf8(start, end);
    }
    return end - start > 16 ? bytes.toString("latin1", start, end) : shortText(bytes, start, end);
  }

  #decodeUtf8(start: number, end: number): string {
    try {
      return utf8.decode(this.#bytes.subarray(start, end));
    } catch (cause) {
      throw this.error("a text is not valid UTF-8", cause);
    }
  }
}

/** For a few characters, going to native code and back takes longer than this. */
function shortText(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  let position = start;
  for (; position + 4 <= end; position += 4) {
    const first = bytes[position] ?? 0;
    text += String.fromCharCode(first, bytes[position + 1] ?? 0, bytes[position + 2] ?? 0, bytes[position + 3] ?? 0);
  }
  for (; position < end; position += 1) text += String.fromCharCode(bytes[position] ?? 0);
  return text;
}

import { WebSocketError } from "./web-socket-error.ts";

/** What a frame is for. */
export type FrameType = "Continuation" | "Text" | "Binary" | "Close" | "Ping" | "Pong";

/** One frame of a WebSocket (RFC 6455). */
export interface Frame {
  readonly type: FrameType;
  /** Whether it is the last of its message. */
  readonly isFinal: boolean;
  readonly payload: Uint8Array;
}

const opcodes: Readonly<Record<FrameType, number>> = { Continuation: 0, Text: 1, Binary: 2, Close: 8, Ping: 9, Pong: 10 };
const types = new Map((["Continuation", "Text", "Binary", "Close", "Ping", "Pong"] as const).map((type) => [opcodes[type], type]));

const finalBit = 0x80;
const reservedBits = 0x70;
const maskBit = 0x80;
const maskBytes = 4;
/** Lengths up to here stand in the first two bytes; more are behind them, in two or in eight. */
const longestShort = 125;
const longestControl = 125;

/** The bytes of a whole message, or of a frame that controls the connection. What a client sends has a mask, and only that. */
export function encodeFrame(type: Exclude<FrameType, "Continuation">, payload: Uint8Array, mask?: Uint8Array): Uint8Array {
  const length = payload.byteLength;
  const extra = length <= longestShort ? 0 : length <= 0xffff ? 2 : 8;
  const head = 2 + extra + (mask === undefined ? 0 : maskBytes);
  const bytes = new Uint8Array(head + length);
  const view = new DataView(bytes.buffer);
  bytes[0] = finalBit | opcodes[type];
  bytes[1] = (mask === undefined ? 0 : maskBit) | (extra === 0 ? length : extra === 2 ? 126 : 127);
  if (extra === 2) view.setUint16(2, length);
  if (extra === 8) view.setBigUint64(2, BigInt(length));
  bytes.set(payload, head);
  if (mask !== undefined) {
    bytes.set(mask, 2 + extra);
    unmask(bytes.subarray(head), mask);
  }
  return bytes;
}

/** What is expected of the other side. */
export interface FrameReaderOptions {
  /** Whether it is a client, whose frames have masks. */
  readonly isMasked: boolean;
  /** The longest payload that is taken. */
  readonly mostBytes: number;
}

/** Finds frames in the bytes of a connection, however they are cut. */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  /** What has come of a frame that is not complete. */
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** Before there are so many bytes, nothing can be complete. */
  #needed = 0;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
  }

  /** The frames that are complete with these bytes; their payloads are copies. Throws a `WebSocketError` on what is no frame. */
  *push(piece: Uint8Array): Generator<Frame> {
    this.#pieces.push(piece.slice());
    this.#length += piece.byteLength;
    if (this.#length < this.#needed) return;
    let bytes: Uint8Array = Buffer.concat(this.#pieces);
    this.#needed = 0;
    for (let found = this.#first(bytes); found !== undefined; found = this.#first(bytes)) {
      bytes = bytes.subarray(found.end);
      yield found.frame;
    }
    this.#pieces = [bytes];
    this.#length = bytes.byteLength;
  }

  #first(bytes: Uint8Array): { readonly frame: Frame; readonly end: number } | undefined {
    const [first, second] = bytes;
    if (first === undefined || second === undefined) return undefined;
    const type = types.get(first & 0x0f);
    const isFinal = (first & finalBit) !== 0;
    if (type === undefined || (first & reservedBits) !== 0) throw new WebSocketError("ProtocolError", "a frame of an unknown type");
    if (((second & maskBit) !== 0) !== this.#options.isMasked) {
      throw new WebSocketError(
        "ProtocolError",
        this.#options.isMasked ? "a frame of a client without a mask" : "a frame of a server with a mask",
      );
    }
    const isControl = opcodes[type] >= opcodes.Close;
    if (isControl && (!isFinal || (second & 0x7f) > longestControl))
      throw new WebSocketError("ProtocolError", `a ${type} that is too long`);
    const length = payloadLength(bytes, second & 0x7f);
    if (length === undefined) return undefined;
    if (length.value > this.#options.mostBytes) {
      throw new WebSocketError("TooLarge", `a frame of ${length.value} bytes, more than ${this.#options.mostBytes}`);
    }
    const start = length.end + (this.#options.isMasked ? maskBytes : 0);
    const end = start + length.value;
    if (bytes.byteLength < end) {
      this.#needed = end;
      return undefined;
    }
    const payload = bytes.slice(start, end);
    if (this.#options.isMasked) unmask(payload, bytes.subarray(length.end, start));
    return { frame: { type, isFinal, payload }, end };
  }
}

function payloadLength(bytes: Uint8Array, short: number): { readonly value: number; readonly end: number } | undefined {
  if (short <= longestShort) return { value: short, end: 2 };
  const end = short === 126 ? 4 : 10;
  if (bytes.byteLength < end) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { value: short === 126 ? view.getUint16(2) : Number(view.getBigUint64(2)), end };
}

/** Applies a mask, or takes it away, in place. */
function unmask(payload: Uint8Array, mask: Uint8Array): void {
  for (let index = 0; index < payload.byteLength; index++) payload[index] = (payload[index] ?? 0) ^ (mask[index % maskBytes] ?? 0);
}

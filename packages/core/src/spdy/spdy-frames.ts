import { uint32 } from "./uint32.ts";

/** What comes and goes on a connection of SPDY/3.1, as far as port-forwarding has it. Headers are still compressed. */
export type SpdyFrame =
  | { readonly type: "Open"; readonly stream: number; readonly headers: Uint8Array; readonly isLast: boolean }
  | { readonly type: "Opened"; readonly stream: number; readonly headers: Uint8Array }
  | { readonly type: "Reset"; readonly stream: number }
  | { readonly type: "Ping"; readonly id: number }
  | { readonly type: "Data"; readonly stream: number; readonly bytes: Uint8Array; readonly isLast: boolean };

const headBytes = 8;
const controlBit = 0x8000;
const spdyVersion = 3;
const isLastFlag = 1;
const controlTypes = { open: 1, opened: 2, reset: 3, ping: 6 } as const;
/** What each has at least, behind its head. */
const leastBytes: ReadonlyMap<number, number> = new Map([
  [controlTypes.open, 10],
  [controlTypes.opened, 4],
  [controlTypes.reset, 8],
  [controlTypes.ping, 4],
]);

/** Finds frames in bytes, however they are cut. Those that mean nothing here are passed over. */
export class SpdyFrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that are complete with these bytes. Throws on what is not SPDY/3.1. */
  *push(piece: Uint8Array): Generator<SpdyFrame> {
    let bytes = Buffer.concat([this.#rest, piece]);
    while (bytes.byteLength >= headBytes && bytes.byteLength >= headBytes + bytes.readUIntBE(5, 3)) {
      const end = headBytes + bytes.readUIntBE(5, 3);
      const frame = readFrame(bytes.subarray(0, end));
      bytes = bytes.subarray(end);
      if (frame !== undefined) yield frame;
    }
    this.#rest = Buffer.from(bytes);
  }
}

function readFrame(bytes: Buffer): SpdyFrame | undefined {
  const isLast = (bytes.readUInt8(4) & isLastFlag) !== 0;
  const content = bytes.subarray(headBytes);
  const first = bytes.readUInt16BE(0);
  if ((first & controlBit) === 0) return { type: "Data", stream: bytes.readUInt32BE(0), bytes: content, isLast };
  if ((first & ~controlBit) !== spdyVersion) throw new Error(`a frame of version ${first & ~controlBit} of SPDY, not ${spdyVersion}`);
  const type = bytes.readUInt16BE(2);
  if (content.byteLength < (leastBytes.get(type) ?? 0)) throw new Error("a frame of SPDY that is too short");
  switch (type) {
    case controlTypes.open:
      return { type: "Open", stream: content.readUInt32BE(0), headers: content.subarray(10), isLast };
    case controlTypes.opened:
      return { type: "Opened", stream: content.readUInt32BE(0), headers: content.subarray(4) };
    case controlTypes.reset:
      return { type: "Reset", stream: content.readUInt32BE(0) };
    case controlTypes.ping:
      return { type: "Ping", id: content.readUInt32BE(0) };
    default:
      // Settings, windows and goodbyes.
      return undefined;
  }
}

/** The bytes of a frame. */
export function encodeSpdyFrame(frame: SpdyFrame): Uint8Array {
  switch (frame.type) {
    case "Data":
      return framed(frame.stream, flagsOf(frame), [frame.bytes]);
    case "Open":
      return control(controlTypes.open, [uint32(frame.stream), Buffer.alloc(6), frame.headers], flagsOf(frame));
    case "Opened":
      return control(controlTypes.opened, [uint32(frame.stream), frame.headers]);
    case "Reset":
      return control(controlTypes.reset, [uint32(frame.stream), uint32(1)]);
    case "Ping":
      return control(controlTypes.ping, [uint32(frame.id)]);
    default:
      return frame satisfies never;
  }
}

function flagsOf({ isLast }: { readonly isLast: boolean }): number {
  return isLast ? isLastFlag : 0;
}

function control(type: number, content: readonly Uint8Array[], flags = 0): Uint8Array {
  return framed((((controlBit | spdyVersion) << 16) | type) >>> 0, flags, content);
}

function framed(first: number, flags: number, content: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(first, 0);
  head.writeUInt8(flags, 4);
  head.writeUIntBE(
    content.reduce((sum, { byteLength }) => sum + byteLength, 0),
    5,
    3,
  );
  return Buffer.concat([head, ...content]);
}

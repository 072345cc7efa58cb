import { pack, unpack } from "@kaji/core";

const boxBytes = 256 * 1024;
/** So many boxes are open, those that were filled or looked into last; all others are packed. */
const openBoxes = 8;

/**
 * Keeps byte strings that are hardly ever read again, packed: the states of an object, and objects of a kind, have nearly everything in common.
 *
 * What is put in last lies together, so that a box is garbage once all that came at its time is forgotten.
 */
export class HistoryShelf {
  /** The one that was opened last behind the others. */
  readonly #open: Box[] = [];
  #current: Box | undefined;
  /** A buffer that a closed box has left, for the next one: those that come and go would fill the memory until the garbage collector finds them. */
  #spare: Buffer | undefined;

  /** Keeps a copy; undefined if the bytes are so many that they are better left where they are. */
  put(bytes: Uint8Array): ShelvedBytes | undefined {
    if (bytes.byteLength > boxBytes / 8) return undefined;
    if (this.#current?.hasRoom(bytes.byteLength) !== true) {
      this.#current = new Box(this.#spare ?? Buffer.allocUnsafeSlow(boxBytes), this.#opened);
      this.#spare = undefined;
      this.#opened(this.#current);
    }
    return new ShelvedBytes(this.#current, this.#current.add(bytes), bytes.byteLength);
  }

  readonly #opened = (box: Box): void => {
    this.#open.push(box);
    if (this.#open.length <= openBoxes) return;
    const left = this.#open.shift()?.close();
    if (left?.byteLength === boxBytes) this.#spare = left;
  };
}

/** A byte string on a shelf. */
export class ShelvedBytes {
  readonly #box: Box;
  readonly #start: number;
  readonly #size: number;

  constructor(box: Box, start: number, size: number) {
    this.#box = box;
    this.#start = start;
    this.#size = size;
  }

  read(): Uint8Array {
    return this.#box.read(this.#start, this.#size);
  }
}

/** Byte strings one behind the other. Once it has been closed nothing is added. */
class Box {
  #text: Buffer | undefined;
  #used = 0;
  #packed: Buffer | undefined;
  readonly #onOpen: (box: Box) => void;

  constructor(text: Buffer, onOpen: (box: Box) => void) {
    this.#text = text;
    this.#onOpen = onOpen;
  }

  hasRoom(size: number): boolean {
    return this.#packed === undefined && this.#used + size <= boxBytes;
  }

  /** Puts bytes behind the others, and returns where they are. */
  add(bytes: Uint8Array): number {
    const start = this.#used;
    this.#opened().set(bytes, start);
    this.#used += bytes.byteLength;
    return start;
  }

  /** A copy: whoever holds it long does not hold the whole box. */
  read(start: number, size: number): Uint8Array {
    return Buffer.from(this.#opened().subarray(start, start + size));
  }

  /** Packs what is in it, unless that gains too little. Returns the buffer that became free, if there is one. */
  close(): Buffer | undefined {
    const text = this.#text;
    if (text === undefined) return undefined;
    this.#packed ??= pack(text.subarray(0, this.#used));
    if (this.#packed === undefined) return undefined;
    this.#text = undefined;
    return text;
  }

  #opened(): Buffer {
    if (this.#text === undefined) {
      this.#text = unpack(this.#packed ?? Buffer.alloc(0), this.#used);
      this.#onOpen(this);
    }
    return this.#text;
  }
}

/** Size, extensions and trailers of a chunk have far shorter lines. */
const longestLine = 16 * 1024;

type Place =
  /** In the line that says how long the next chunk is, before anything but digits has come. */
  | "Size"
  /** In the rest of that line. */
  | "Extension"
  | "Data"
  /** Behind a chunk, before the line end that must follow. */
  | "DataEnd"
  /** In the lines behind the last chunk; an empty one ends the body. */
  | "Trailer"
  | "Done";

/** Takes the chunks of an HTTP body out of their framing, in place: what is left is what the server meant to send, without a gap. */
export class ChunkedDecoder {
  #place: Place = "Size";
  /** Of the chunk: the size as read so far, then how much of it is still to come. */
  #left = 0;
  /** How long the line is by now, line end excluded. */
  #line = 0;
  #excess = 0;

  /** Whether the body is complete. What follows is no part of it. */
  get isDone(): boolean {
    return this.#place === "Done";
  }

  /** How many bytes came behind the end of the body. */
  get excess(): number {
    return this.#excess;
  }

  /** Moves the content among the bytes between two offsets to the first of them; returns where it ends. Throws on what is no chunk. */
  decode(bytes: Buffer, start: number, end: number): number {
    let filled = start;
    let at = start;
    while (at < end && this.#place !== "Done") {
      if (this.#place !== "Data") {
        this.#frame(bytes[at++] ?? 0);
        continue;
      }
      const taken = Math.min(this.#left, end - at);
      if (at > filled) bytes.copyWithin(filled, at, at + taken);
      filled += taken;
      at += taken;
      this.#left -= taken;
      if (this.#left === 0) this.#enter("DataEnd");
    }
    this.#excess += end - at;
    return filled;
  }

  #frame(byte: number): void {
    if (byte === lineFeed) return this.#endLine();
    if (byte === carriageReturn) return;
    if (++this.#line > longestLine) throw framingError("chunk header or trailer line too long");
    if (this.#place === "DataEnd") throw framingError("no line end after a chunk");
    if (this.#place !== "Size") return;
    const digit = hexDigit(byte);
    if (digit !== undefined) this.#left = this.#left * 16 + digit;
    else if (this.#line > 1 && (byte === semicolon || byte === space || byte === tab)) this.#place = "Extension";
    else throw framingError("invalid chunk size");
    if (this.#left > Number.MAX_SAFE_INTEGER) throw framingError("chunk size too large");
  }

  #endLine(): void {
    switch (this.#place) {
      case "Size":
        if (this.#line === 0) throw framingError("invalid chunk size");
        return this.#enter(this.#left === 0 ? "Trailer" : "Data");
      case "Extension":
        return this.#enter(this.#left === 0 ? "Trailer" : "Data");
      case "DataEnd":
        return this.#enter("Size");
      case "Trailer":
        return this.#enter(this.#line === 0 ? "Done" : "Trailer");
      case "Data":
      case "Done":
        return undefined;
      default:
        return this.#place satisfies never;
    }
  }

  #enter(place: Place): void {
    this.#place = place;
    this.#line = 0;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const semicolon = 0x3b;
const space = 0x20;
const tab = 0x09;

function hexDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : undefined;
}

function framingError(problem: string): Error {
  return new Error(`malformed HTTP response: ${problem}`);
}

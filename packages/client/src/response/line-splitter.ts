/**
 * Cuts bytes that come in pieces into lines, without the line ends.
 * Lines are views of the pieces they came in, and copied only where a piece ends inside one: a piece is not used after its lines have been.
 */
export class LineSplitter {
  /** The beginning of a line whose end has not come yet. */
  #begun: Uint8Array[] = [];
  #begunBytes = 0;

  /** How much of a line is kept until its end comes. */
  get begunBytes(): number {
    return this.#begunBytes;
  }

  /** The lines that end in this piece. */
  push(piece: Uint8Array): readonly Uint8Array[] {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, start)) {
      lines.push(this.#complete(piece.subarray(start, end)));
      start = end + 1;
    }
    if (start < piece.byteLength) this.#begun.push(Buffer.from(piece.subarray(start)));
    this.#begunBytes += piece.byteLength - start;
    return lines;
  }

  /** What is left after the last line end; undefined if there is nothing. */
  rest(): Uint8Array | undefined {
    return this.#begun.length === 0 ? undefined : this.#complete(new Uint8Array(0));
  }

  #complete(end: Uint8Array): Uint8Array {
    if (this.#begun.length === 0) return end;
    const line = Buffer.concat([...this.#begun, end]);
    this.#begun = [];
    this.#begunBytes = 0;
    return line;
  }
}

const lineEnd = 0x0a;

import { ChunkedDecoder } from "./chunked-decoder.ts";
import { bodyLength, parseResponseHead } from "./response-head.ts";
import type { BodyLength, ResponseHead } from "./response-head.ts";

/** Far more than Node and Go accept by default. */
const longestHead = 256 * 1024;
const usualHead = 1024;
const headEnd = "\r\n\r\n";

/** Reads an HTTP/1.1 response as its bytes arrive. */
export class ResponseReader {
  /** Undefined before all of it is there. */
  head: ResponseHead | undefined;
  /** The part of the head that has arrived, one character for each byte. */
  #text = "";
  #length: BodyLength = 0;
  readonly #chunks = new ChunkedDecoder();
  #excess = 0;
  readonly #isUpgrade: boolean;

  /** Whether the server was asked to go on in another protocol: if it agrees, all that follows is the body. */
  constructor(isUpgrade: boolean) {
    this.#isUpgrade = isUpgrade;
  }

  /** Whether the answer is what was asked for. */
  get isSuccess(): boolean {
    return this.head !== undefined && this.head.status < 300;
  }

  /** Whether the server goes on in another protocol. */
  get isUpgraded(): boolean {
    return this.head?.status === 101;
  }

  /** Whether the response is complete. */
  get isDone(): boolean {
    return this.head !== undefined && (this.#length === "Chunked" ? this.#chunks.isDone : this.#length === 0);
  }

  /** Whether it is complete when the connection is closed. */
  get endsWithConnection(): boolean {
    return this.head !== undefined && this.#length === "UntilClosed";
  }

  /** Whether more came than belongs to it, so that it is unknown where the next response begins. */
  get hasExcess(): boolean {
    return this.#excess > 0 || this.#chunks.excess > 0;
  }

  /** Takes so many bytes; what they have of the body is afterwards between the offsets. Throws on what is not HTTP. */
  read(bytes: Buffer, length: number): { readonly start: number; readonly end: number } {
    const start = this.head === undefined ? this.#readHead(bytes, length) : 0;
    if (this.head === undefined) return { start, end: start };
    if (this.#length === "Chunked") return { start, end: this.#chunks.decode(bytes, start, length) };
    if (this.#length === "UntilClosed") return { start, end: length };
    const taken = Math.min(this.#length, length - start);
    this.#length -= taken;
    this.#excess += length - start - taken;
    return { start, end: start + taken };
  }

  /** Where the body begins in the bytes; behind all of them while it has not. */
  #readHead(bytes: Buffer, length: number): number {
    // Mostly a head comes whole and is short: then little text is made of the body behind it.
    const first = this.#text === "" ? bytes.toString("latin1", 0, Math.min(usualHead, length)) : "";
    const headAt = first.indexOf(headEnd);
    const taken = headAt < 0 ? length : headAt + headEnd.length;
    this.#text += headAt < 0 ? bytes.toString("latin1", 0, length) : first.slice(0, taken);
    for (let end = this.#text.indexOf(headEnd); end >= 0; end = this.#text.indexOf(headEnd)) {
      const head = parseResponseHead(this.#text.slice(0, end));
      this.#text = this.#text.slice(end + headEnd.length);
      // An interim response, such as 100 Continue: the final one follows.
      if (head.status < 200 && !(head.status === 101 && this.#isUpgrade)) continue;
      const start = taken - this.#text.length;
      this.head = head;
      this.#length = bodyLength(head);
      this.#text = "";
      return start;
    }
    if (taken < length) return taken + this.#readHead(bytes.subarray(taken), length - taken);
    if (!this.#text.startsWith("HTTP/".slice(0, this.#text.length))) throw new Error("malformed HTTP response: no status line");
    if (this.#text.length > longestHead) throw new Error(`malformed HTTP response: headers of more than ${longestHead} bytes`);
    return length;
  }
}

import type { Clock } from "@kaji/core";

/** What becomes of a frame of a watch: it comes in time, late, when somebody says so, or the stream breaks before it. */
export type FrameFate = { readonly type: "Deliver"; readonly delayMs: number } | { readonly type: "Hold" } | { readonly type: "Break" };

const newline = 0x0a;
const nothing: Buffer = Buffer.alloc(0);

interface Frame {
  readonly bytes: Uint8Array;
  /** Undefined while it is held. */
  dueMs: number | undefined;
}

/** A watch on its way to the operator: frames may come late, but in order. */
export class WatchStream implements AsyncIterable<Uint8Array> {
  /** Not yet delivered, oldest first. */
  readonly #frames: Frame[] = [];
  readonly #clock: Clock;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #fateOf: (frame: Buffer) => FrameFate;
  #end: "Open" | "Closed" | "Broken" = "Open";
  #wake: () => void = () => {};
  #isStarted = false;

  /** `fateOf` is given each line with its end. */
  constructor(source: AsyncIterable<Uint8Array>, clock: Clock, fateOf: (frame: Buffer) => FrameFate) {
    this.#source = source;
    this.#clock = clock;
    this.#fateOf = fateOf;
  }

  /** Whether something is on its way that nobody holds. */
  get isBusy(): boolean {
    return this.#end !== "Broken" && this.#frames[0]?.dueMs !== undefined;
  }

  /** Lets go of what is held. */
  release(): void {
    for (const frame of this.#frames) frame.dueMs ??= this.#clock.monotonic();
    this.#arm();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, undefined> {
    if (!this.#isStarted) void this.#pump();
    this.#isStarted = true;
    for (;;) {
      const [next] = this.#frames;
      if (this.#end === "Broken") return undefined;
      if (next?.dueMs !== undefined && next.dueMs <= this.#clock.monotonic()) {
        this.#frames.shift();
        this.#arm();
        yield next.bytes;
      } else if (next === undefined && this.#end === "Closed") {
        return undefined;
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }

  async #pump(): Promise<void> {
    let rest: Buffer = nothing;
    for await (const chunk of this.#source) {
      const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
        if (!this.#take(end + 1 === rest.length ? rest : rest.subarray(0, end + 1))) return;
        rest = end + 1 === rest.length ? nothing : rest.subarray(end + 1);
      }
    }
    if (this.#end === "Open") this.#end = "Closed";
    this.#wake();
  }

  /** Takes a line with its end, and returns whether the stream goes on. */
  #take(bytes: Buffer): boolean {
    const fate = this.#fateOf(bytes);
    if (fate.type === "Break") {
      this.#end = "Broken";
      this.#wake();
      return false;
    }
    const isHeld = fate.type === "Hold" || this.#frames.some(({ dueMs }) => dueMs === undefined);
    const earliest = this.#frames.at(-1)?.dueMs ?? 0;
    const dueMs = fate.type === "Deliver" && !isHeld ? Math.max(earliest, this.#clock.monotonic() + fate.delayMs) : undefined;
    this.#frames.push({ bytes, dueMs });
    if (this.#frames.length === 1) this.#arm();
    return true;
  }

  #arm(): void {
    const dueMs = this.#frames[0]?.dueMs;
    if (dueMs === undefined) return;
    const delayMs = dueMs - this.#clock.monotonic();
    if (delayMs <= 0) this.#wake();
    else this.#clock.timer(delayMs, () => this.#wake());
  }
}

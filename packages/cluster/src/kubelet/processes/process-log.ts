import type { ContainerLog } from "../pod-runtime.ts";

/** A log does not grow beyond this, as on a real node. */
const mostBytes = 10 * 1024 * 1024;

/** What a process has written, line by line; of a long log the end is kept. */
export class ProcessLog implements ContainerLog {
  readonly #decoder = new TextDecoder();
  readonly #show: (line: string) => string;
  readonly #now: () => number;
  #lines: string[] = [];
  /** When each line was written. */
  #times: number[] = [];
  #size = 0;
  #dropped = 0;
  /** The beginning of a line that goes on. */
  #rest = "";
  /** Whether the last line was never ended. */
  #isOpen = false;

  /** Each line is kept as `show` makes it, with the time at which it was ended. */
  constructor(now: () => number, show: (line: string) => string = (line) => line) {
    this.#now = now;
    this.#show = show;
  }

  write(bytes: Uint8Array): void {
    const [first = "", ...more] = this.#decoder.decode(bytes, { stream: true }).split("\n");
    const lines = [this.#rest + first, ...more];
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#add(this.#show(line));
    if (this.#rest.length > mostBytes) this.end();
  }

  /** Nothing more comes: a line that was begun is one. */
  end(): void {
    this.#isOpen = this.#rest !== "";
    if (this.#isOpen) this.#add(this.#show(this.#rest));
    this.#rest = "";
  }

  /** The last so many lines, and so many characters of them, as they were written. */
  tail(lines: number, characters: number): string {
    const text = this.#lines.slice(-lines).join("\n");
    return `${text}${text === "" || this.#isOpen ? "" : "\n"}`.slice(-characters);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  get times(): readonly number[] {
    return this.#times;
  }

  get dropped(): number {
    return this.#dropped;
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#times.push(this.#now());
    this.#size += line.length + 1;
    if (this.#size <= mostBytes) return;
    const kept = this.#lines.slice(Math.ceil(this.#lines.length / 2));
    this.#dropped += this.#lines.length - kept.length;
    this.#lines = kept;
    this.#times = this.#times.slice(-kept.length);
    this.#size = kept.reduce((sum, each) => sum + each.length + 1, 0);
  }
}

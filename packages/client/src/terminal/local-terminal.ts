import { on } from "node:events";
import type { TerminalSize } from "../response/container-streams.ts";

/** A terminal of this machine, as `exec` and `attach` take it. Until it is disposed of, every key goes there, Ctrl-C too. */
export interface LocalTerminal extends Disposable {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly onStdout: (bytes: Uint8Array) => Promise<void>;
  readonly tty: AsyncIterable<TerminalSize>;
}

/** What a terminal is to this process. */
export interface TerminalStreams {
  /** Default standard input. */
  readonly input?: NodeJS.ReadStream;
  /** Default standard output. */
  readonly output?: NodeJS.WriteStream;
}

/** Opens the terminal that this process runs on. Throws a `TypeError` if there is none, as in a pipe. */
export function openTerminal({ input = process.stdin, output = process.stdout }: TerminalStreams = {}): LocalTerminal {
  if (!input.isTTY || !output.isTTY) throw new TypeError("standard input and output are no terminal");
  const keys = on(input, "data", { close: ["end", "close"] });
  const resizes = on(output, "resize");
  const size = (): TerminalSize => ({ columns: output.columns, rows: output.rows });
  let isSized = false;
  input.setRawMode(true);
  return {
    stdin: readOnce(keys, async () => {
      const [bytes]: Uint8Array[] = (await keys.next()).value ?? [];
      return bytes;
    }),
    onStdout: (bytes) => new Promise((resolve) => void output.write(bytes, () => resolve())),
    tty: readOnce(resizes, async () => {
      if (isSized && (await resizes.next()).done === true) return undefined;
      isSized = true;
      return size();
    }),
    [Symbol.dispose]() {
      for (const events of [keys, resizes]) void events.return?.();
      input.setRawMode(false);
      input.pause();
    },
  };
}

/** What is read of events, until nothing is. Other than a generator it can be left while it waits. */
function readOnce<T>(events: AsyncIterator<unknown>, read: () => Promise<T | undefined>): AsyncIterable<T> {
  const iterator: AsyncIterator<T, undefined> = {
    next: async () => {
      const value = await read();
      return value === undefined ? { done: true, value: undefined } : { done: false, value };
    },
    return: async () => {
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

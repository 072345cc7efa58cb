import type { LogMessage } from "../page/live-message.ts";
import type { WantedLog } from "../page/log-view.ts";
import { browserClock, retryMs } from "./browser-clock.ts";
import { readStream } from "./server-stream.ts";

/** Hears of the log that is read. */
export interface LogListener {
  /** It is another one: what was read before is not of it. */
  readonly onOther: () => void;
  readonly onMessages: (messages: readonly LogMessage[]) => void;
}

/** Reads one log at a time, of which the page says which one it is. */
export class LogLink {
  readonly #listener: LogListener;
  /** What is read now, as text. */
  #wanted: string | undefined;
  /** Whose log was read last, as text. */
  #whose: string | undefined;
  #link = new AbortController();

  constructor(listener: LogListener) {
    this.#listener = listener;
  }

  /** Reads this log and no other, unless it does; undefined: none. Of another run of the same container the lines of the last one are shown until there are others. */
  read(wanted: WantedLog | undefined): void {
    const text = JSON.stringify(wanted);
    if (text === this.#wanted) return;
    this.#wanted = text;
    this.#link.abort();
    this.#link = new AbortController();
    if (wanted === undefined) return;
    const whose = JSON.stringify({ ...wanted, run: undefined });
    if (whose !== this.#whose) this.#listener.onOther();
    this.#whose = whose;
    void follow(wanted, this.#listener, this.#link.signal);
  }

  /** Reads it from the beginning when it is wanted next. */
  forget(): void {
    this.#wanted = undefined;
  }
}

/** Reads a log to its end, over broken connections, until the signal is aborted. What the cluster refuses is not asked for again. */
async function follow({ pod, container, isPrevious }: WantedLog, { onMessages }: LogListener, signal: AbortSignal): Promise<void> {
  const query = new URLSearchParams({ pod, container, ...(isPrevious ? { previous: "true" } : {}) });
  let isOver = false;
  const hear = (lines: readonly string[]): void => {
    const messages = lines.map((line): LogMessage => JSON.parse(line));
    isOver ||= messages.some(({ type }) => type === "Ended" || type === "Failed");
    if (!signal.aborted) onMessages(messages);
  };
  while (!signal.aborted) {
    const { type, why } = await readStream(`/log?${query}`, hear, signal);
    if (signal.aborted || isOver) return;
    onMessages([{ type: "Failed", why }]);
    if (type === "Refused") return;
    await browserClock.sleep(retryMs);
  }
}

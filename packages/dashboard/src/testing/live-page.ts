import { emptyLog, withLogMessage } from "../page/log-state.ts";
import type { LogState } from "../page/log-state.ts";
import { emptyPage, withMessage } from "../page/page-state.ts";
import type { PageState } from "../page/page-state.ts";

/** A page without a browser, or a part of it: it is told what a browser would be. */
export interface LivePage<S = PageState> extends AsyncDisposable {
  /** Reads on until the page is as wanted. */
  until(isWanted: (state: S) => boolean): Promise<S>;
  /** All that was told, as it came. */
  received(): string;
}

/** Opens what a dashboard tells of a choice. */
export function openPage(url: string, choice: { readonly kind?: string; readonly object?: string } = {}): Promise<LivePage> {
  return openStream({ url, path: `/live?${new URLSearchParams(choice)}`, empty: emptyPage, after: withMessage });
}

/** Waits until a dashboard knows what there is of some kinds: only what comes after that is told as a change. */
export async function untilListed(url: string, kinds: readonly string[]): Promise<void> {
  for (const kind of kinds) {
    await using page = await openPage(url, { kind });
    await page.until(({ table }) => typeof table === "object");
  }
}

/** Opens the log of a container. */
export function openLog(
  url: string,
  choice: { readonly pod: string; readonly container: string; readonly previous?: "true" },
): Promise<LivePage<LogState>> {
  return openStream({ url, path: `/log?${new URLSearchParams(choice)}`, empty: emptyLog, after: withLogMessage });
}

interface OpenedStream<S, M> {
  /** Of the dashboard. */
  readonly url: string;
  readonly path: string;
  readonly empty: S;
  readonly after: (state: S, message: M) => S;
}

async function openStream<S, M>({ url, path, empty, after }: OpenedStream<S, M>): Promise<LivePage<S>> {
  const { origin, hash } = new URL(url);
  const closing = new AbortController();
  const headers = { authorization: `Bearer ${hash.replace("#token=", "")}` };
  const response = await fetch(`${origin}${path}`, { headers, signal: closing.signal });
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let [state, rest, all] = [empty, "", ""];
  return {
    async until(isWanted) {
      while (!isWanted(state)) {
        const { value, done } = await reader.read();
        if (done) throw new Error("the stream has ended");
        all += value;
        const lines = (rest + value).split("\n");
        rest = lines.pop() ?? "";
        state = lines.reduce((before, line) => after(before, JSON.parse(line)), state);
      }
      return state;
    },
    received: () => all,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await reader.cancel().catch(() => undefined);
    },
  };
}

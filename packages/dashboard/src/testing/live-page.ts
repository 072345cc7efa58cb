import { emptyPage, withMessage } from "../page/page-state.ts";
import type { PageState } from "../page/page-state.ts";

/** A page without a browser: it is told what a browser would be. */
export interface LivePage extends AsyncDisposable {
  /** Reads on until the page is as wanted. */
  until(isWanted: (state: PageState) => boolean): Promise<PageState>;
  /** All that was told, as it came. */
  received(): string;
}

/** Opens what a dashboard tells of a choice. */
export async function openPage(url: string, choice: { readonly kind?: string; readonly object?: string } = {}): Promise<LivePage> {
  const { origin, hash } = new URL(url);
  const closing = new AbortController();
  const response = await fetch(`${origin}/live?${new URLSearchParams(choice)}`, {
    headers: { authorization: `Bearer ${hash.replace("#token=", "")}` },
    signal: closing.signal,
  });
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let [state, rest, all] = [emptyPage, "", ""];
  return {
    async until(isWanted) {
      while (!isWanted(state)) {
        const { value, done } = await reader.read();
        if (done) throw new Error("the stream has ended");
        all += value;
        const lines = (rest + value).split("\n");
        rest = lines.pop() ?? "";
        state = lines.reduce((before, line) => withMessage(before, JSON.parse(line)), state);
      }
      return state;
    },
    received: () => all,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await reader.closed.catch(() => undefined);
    },
  };
}

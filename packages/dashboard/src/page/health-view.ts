import type { Health, State } from "./live-message.ts";
import { element } from "./markup.ts";
import type { Markup } from "./markup.ts";

const words: Readonly<Record<State, string>> = { Good: "ready", Waiting: "not ready", Bad: "failing", Quiet: "no state" };

/** A dot for a state: its colour for most, its shape and its name for everybody. */
export function dot({ state, why }: Health): Markup {
  const title = why === "" ? words[state] : why;
  return element("span", { class: `dot ${state.toLowerCase()}`, with: { role: "img", title, "aria-label": `${words[state]}: ${title}` } });
}

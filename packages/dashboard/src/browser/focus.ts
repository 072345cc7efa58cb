import { formatRoute } from "../page/route.ts";
import type { Route } from "../page/route.ts";

/** The links of the rows, from top to bottom. */
export function rowLinks(): readonly HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>("main tbody a")];
}

/** Draws, and leaves the focus where the user has it: an element that is moved loses it, and a row that goes leaves it to the one that takes its place. */
export function keepingFocus(draw: () => void): void {
  const { activeElement: focused } = document;
  const place = rowLinks().findIndex((link) => link === focused);
  draw();
  if (!(focused instanceof HTMLElement) || document.activeElement === focused) return;
  if (focused.isConnected) return focused.focus({ preventScroll: true });
  const rows = rowLinks();
  if (place >= 0) (rows[place] ?? rows.at(-1))?.focus();
}

/** Follows an object that is opened in place of the table, and goes back to its row when it is closed. */
export function moveFocus(before: Route, now: Route): void {
  if (now.object === before.object || now.kind !== before.kind) return;
  if (now.object === undefined) {
    const isNowhere = document.activeElement === document.body;
    if (isNowhere)
      rowLinks()
        .find((link) => link.getAttribute("href") === formatRoute({ ...before, log: undefined }))
        ?.focus();
  } else if (document.querySelector("main")?.checkVisibility() === false) {
    document.querySelector<HTMLElement>("aside")?.focus();
  }
}

let shownKind: string | null | undefined;

/** Scrolls to the chosen kind when it is another: the list may be longer than there is room. */
export function showCurrentKind(): void {
  const current = document.querySelector("nav [aria-current]");
  const kind = current?.getAttribute("href");
  if (kind !== shownKind) current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  shownKind = kind;
}

import { rowLinks } from "./focus.ts";

/** What the keyboard does besides what it does on every page: `/` filters, the arrows walk through the rows, Escape closes. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "Escape") return close(event);
    if (key === "/" && !isField) focus("#filter", event);
    if (key === "ArrowDown" || key === "ArrowUp") walk(key === "ArrowDown" ? 1 : -1, event);
  });
}

/** First the field, which keeps what is written in it, then the object. */
function close(event: KeyboardEvent): void {
  const { target } = event;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
    event.preventDefault();
    target.blur();
  } else document.querySelector<HTMLElement>("#close")?.click();
}

function focus(selector: string, event: Event): void {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) return;
  event.preventDefault();
  element.focus();
}

/** From the filter or a row to the next one. */
function walk(step: 1 | -1, event: KeyboardEvent): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || (target.id !== "filter" && target.closest("main tbody") === null)) return;
  const rows = rowLinks();
  const at = rows.findIndex((row) => row === target) + step;
  event.preventDefault();
  if (at < 0) focus("#filter", event);
  else rows[at]?.focus();
}

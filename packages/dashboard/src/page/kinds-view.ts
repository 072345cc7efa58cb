import type { KindSummary } from "./live-message.ts";
import { element } from "./markup.ts";
import type { Markup } from "./markup.ts";
import { formatRoute, home } from "./route.ts";
import type { Route } from "./route.ts";

/** The kinds that have objects: custom ones first, those that may not be read last. */
export function kindsView(kinds: readonly KindSummary[], route: Route): readonly Markup[] {
  const readable = kinds.filter(({ problem }) => problem === undefined);
  const parts: readonly (readonly [string, readonly KindSummary[]])[] = [
    ["Custom", readable.filter(({ isCustom }) => isCustom)],
    ["Built in", readable.filter(({ isCustom }) => !isCustom)],
    ["Cannot be read", kinds.filter(({ problem }) => problem !== undefined)],
  ];
  const activity = element(
    "a",
    { key: "home", with: { href: formatRoute(home), ...current(route.kind === undefined) } },
    element("span", { class: "name" }, "All changes"),
  );
  const lists = parts
    .filter(([, part]) => part.length > 0)
    .map(([title, part]) => element("section", { key: title }, element("h2", {}, title), ...part.map((kind) => kindLink(kind, route))));
  return [activity, ...lists];
}

function kindLink({ id, kind, group, isCustom, count, unready, failing, problem }: KindSummary, route: Route): Markup {
  const href = formatRoute({ ...home, kind: id, namespace: route.namespace });
  // A long one is cut off.
  const title = problem ?? [kind, group].filter((part) => part !== "").join(" · ");
  const badge = { class: failing === 0 ? "unready" : "unready failing", with: { title: unreadyText(unready, failing) } };
  const waiting = unready === 0 ? undefined : element("span", badge, String(unready));
  return element(
    "a",
    { key: id, with: { href, title, ...current(route.kind === id) } },
    element("span", { class: "name" }, kind, isCustom ? element("small", {}, group) : undefined),
    waiting,
    element("span", { class: "count" }, problem === undefined ? String(count) : "–"),
  );
}

/** How many are not ready, and how many of these fail. */
export function unreadyText(unready: number, failing: number): string {
  if (failing === unready && failing > 0) return `${failing} failing`;
  return failing === 0 ? `${unready} not ready` : `${unready} not ready, ${failing} of them failing`;
}

function current(isCurrent: boolean): { readonly "aria-current": string | undefined } {
  return { "aria-current": isCurrent ? "page" : undefined };
}

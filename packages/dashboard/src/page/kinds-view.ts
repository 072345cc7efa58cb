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

function kindLink({ id, kind, group, isCustom, count, unready, problem }: KindSummary, route: Route): Markup {
  const href = formatRoute({ ...home, kind: id, namespace: route.namespace });
  const title = problem ?? (group === "" ? undefined : group);
  const waiting =
    unready === 0 ? undefined : element("span", { class: "unready", with: { title: `${unready} not ready` } }, String(unready));
  return element(
    "a",
    { key: id, with: { href, title, ...current(route.kind === id) } },
    element("span", { class: "name" }, kind, isCustom ? element("small", {}, group) : undefined),
    waiting,
    element("span", { class: "count" }, problem === undefined ? String(count) : "–"),
  );
}

function current(isCurrent: boolean): { readonly "aria-current": string | undefined } {
  return { "aria-current": isCurrent ? "page" : undefined };
}

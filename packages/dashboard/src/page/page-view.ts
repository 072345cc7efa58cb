import { changesView } from "./change-view.ts";
import { kindsView, unreadyText } from "./kinds-view.ts";
import { element } from "./markup.ts";
import type { Markup } from "./markup.ts";
import { objectView } from "./object-view.ts";
import type { Link, PageState } from "./page-state.ts";
import { formatRoute, home } from "./route.ts";
import type { Route } from "./route.ts";
import { tableView } from "./table-view.ts";
import type { LogActions } from "./log-view.ts";
import type { TableActions } from "./table-view.ts";

/** What a page is drawn for. */
export interface PageViewOptions {
  readonly route: Route;
  readonly nowMs: number;
  /** When the page was opened. */
  readonly since: number;
  /** Whether only the first rows of a list are wanted for now. */
  readonly isHurried: boolean;
  readonly actions: TableActions & LogActions;
}

/** The whole page: kinds at the left, their objects in the middle, the chosen one at the right. */
export function pageView(state: PageState, options: PageViewOptions): { readonly title: string; readonly parts: readonly Markup[] } {
  const { route } = options;
  const middle = route.kind === undefined ? homeView(state, options) : tableView(state, route, options);
  const view = route.kind === undefined ? "home" : route.object === undefined ? "kind" : "object";
  const parts = [
    element(
      "div",
      { key: "page", class: `page shows-${view}` },
      headView(state),
      element("nav", { key: "kinds", with: { "aria-label": "Kinds" } }, ...kindsView(state.kinds, route)),
      element("main", { key: `main ${route.kind}` }, ...middle),
      route.object === undefined
        ? undefined
        : element(
            "aside",
            { key: `object ${route.kind} ${route.object}`, with: { "aria-label": "Object", tabindex: "-1" } },
            ...objectView(state, options),
          ),
    ),
  ];
  return {
    title: [route.object ?? route.kind, state.cluster, "kaji"].filter((part) => part !== undefined && part !== "").join(" · "),
    parts,
  };
}

function headView({ cluster, link, problem }: PageState): Markup {
  const refusal = link.type === "Refused" ? link.why : problem;
  return element(
    "header",
    { key: "head" },
    element("a", { class: "brand", with: { href: formatRoute(home) } }, element("span", { with: { "aria-hidden": "true" } }), "kaji"),
    element("span", { class: "cluster" }, cluster),
    element("span", { class: `link ${link.type.toLowerCase()}`, with: { role: "status" } }, linkText(link)),
    refusal === undefined ? undefined : element("p", { class: "problem", with: { role: "alert" } }, refusal),
  );
}

function linkText(link: Link): string {
  switch (link.type) {
    case "Opening":
      return "connecting";
    case "Live":
      return "live";
    case "Lost":
      return `${link.why}; trying again`;
    case "Refused":
      return "not allowed";
  }
}

function homeView(state: PageState, options: PageViewOptions): readonly Markup[] {
  const { kinds, link } = state;
  const unready = kinds.reduce((sum, kind) => sum + kind.unready, 0);
  const failing = kinds.reduce((sum, kind) => sum + kind.failing, 0);
  const objects = kinds.reduce((sum, kind) => sum + kind.count, 0);
  const size = `${objects} objects${unready === 0 ? "" : `, ${unreadyText(unready, failing)}`}`;
  const isTold = link.type === "Live" || link.type === "Lost";
  return [
    element("div", { key: "head", class: "head" }, element("h1", {}, "All changes", isTold ? element("small", {}, size) : undefined)),
    ...(isTold ? changesView(state, { ...options, namesNamespaces: true }) : []),
  ];
}

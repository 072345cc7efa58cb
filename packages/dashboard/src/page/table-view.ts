import { ageText } from "./age.ts";
import { dot } from "./health-view.ts";
import type { Row, TableHead } from "./live-message.ts";
import { element } from "./markup.ts";
import type { Child, Markup } from "./markup.ts";
import type { PageState } from "./page-state.ts";
import { remembered } from "./remembered.ts";
import { unreadyText } from "./kinds-view.ts";
import { formatRoute } from "./route.ts";
import type { Route } from "./route.ts";
import { isShown } from "./row-filter.ts";
import { byName, columnsOf, inOrder } from "./row-order.ts";
import type { Column, Order } from "./row-order.ts";

/** What a table asks for when it is used. */
export interface TableActions {
  /** Another filter, namespace or order was chosen. */
  readonly choose: (choice: Partial<Pick<Route, "filter" | "namespace" | "order">>) => void;
  readonly open: (route: Route) => void;
}

/** A browser draws no more rows than these; a filter finds the others. */
const mostRows = 500;
/** As many as one sees on a large screen without scrolling. */
const firstRows = 100;

/** What a table is drawn for. */
export interface TableViewOptions {
  readonly nowMs: number;
  /** Whether only the first rows are wanted for now. */
  readonly isHurried: boolean;
  readonly actions: TableActions;
}

/** The objects of the chosen kind. */
export function tableView(
  { table, rows, kinds }: PageState,
  route: Route,
  { nowMs, isHurried, actions }: TableViewOptions,
): readonly Markup[] {
  if (table === "Unknown") return [element("p", { class: "empty" }, "…")];
  if (table === undefined) return [missingKind(route, kinds.length > 0)];
  // A namespace that is chosen need not be said again in each row.
  const seen = { ...table, isNamespaced: table.isNamespaced && route.namespace === undefined };
  const columns = columnsOf(seen);
  const found = byName(rows).filter((row) => isShown(row, route));
  const shown = inOrder(found, columns, route.order);
  const hidden = Math.max(0, shown.length - mostRows);
  const drawn = shown.slice(0, isHurried ? firstRows : mostRows);
  const place = { table: seen, route, list: formatRoute({ ...route, object: undefined }), nowMs, actions };
  const beyond = table.hidden > 0 ? [`${table.hidden} more objects are only counted`] : [];
  const notes = [...(hidden > 0 ? [`${hidden} more rows: filter to see them`] : []), ...beyond];
  return [
    tableHead(table, { rows, route, actions, shown }),
    ...(table.problem === undefined ? [] : [element("p", { key: "problem", class: "problem" }, table.problem)]),
    element(
      "div",
      { key: "scroll", class: "scroll" },
      element(
        "table",
        { with: { "aria-label": table.kind } },
        columnHeads(columns, route.order, actions),
        element("tbody", {}, ...drawn.map((row) => rememberedRow(row, place))),
      ),
    ),
    ...(shown.length === 0
      ? [element("p", { key: "empty", class: "empty" }, rows.size === 0 ? "There are none." : "Nothing has this in it.")]
      : []),
    ...notes.map((note) => element("p", { key: note, class: "empty" }, note)),
  ];
}

function missingKind({ kind = "" }: Route, isToldOfKinds: boolean): Markup {
  return element(
    "p",
    { class: "empty" },
    isToldOfKinds ? `The cluster has no kind ${kind} now. If its definition comes, its objects will be here.` : "…",
  );
}

interface Head {
  readonly rows: PageState["rows"];
  readonly route: Route;
  readonly actions: TableActions;
  readonly shown: readonly Row[];
}

function tableHead({ kind, isNamespaced, hidden }: TableHead, { rows, route, actions, shown }: Head): Markup {
  const all = rows.size + hidden;
  const count = shown.length === all ? String(all) : `${shown.length} of ${all}`;
  return element(
    "div",
    { key: "head", class: "head" },
    element("h1", { with: { title: kind } }, kind, element("small", {}, count)),
    unreadyLink(shown, route),
    isNamespaced ? namespaceChoice(rows, route, actions) : undefined,
    element("input", {
      with: { type: "search", id: "filter", value: route.filter, placeholder: "Filter  /", "aria-label": "Filter", spellcheck: "false" },
      on: { input: (filter) => actions.choose({ filter }) },
    }),
  );
}

/** How many of those that are shown are not well, and the way to see them first. */
function unreadyLink(shown: readonly Row[], route: Route): Child {
  const failing = shown.filter(({ state }) => state === "Bad").length;
  const unready = failing + shown.filter(({ state }) => state === "Waiting").length;
  if (unready === 0) return undefined;
  const href = formatRoute({ ...route, order: { by: "State", isDescending: false } });
  const options = { class: failing === 0 ? "needy" : "needy failing", with: { href, title: "Show these first" } };
  return element("a", { key: "needy", ...options }, unreadyText(unready, failing));
}

function namespaceChoice(rows: PageState["rows"], { namespace }: Route, { choose }: TableActions): Markup {
  const names = new Set([...rows.values()].flatMap((row) => row.namespace ?? []));
  if (namespace !== undefined) names.add(namespace);
  const option = (value: string, text: string): Markup =>
    element("option", { key: value, with: { value, selected: value === (namespace ?? "") ? "" : undefined } }, text);
  return element(
    "select",
    {
      with: { "aria-label": "Namespace", value: namespace ?? "" },
      on: { change: (value) => choose({ namespace: value === "" ? undefined : value }) },
    },
    option("", "all namespaces"),
    ...[...names].sort().map((name) => option(name, name)),
  );
}

/** Each is a button that orders by it, the other way if it does already. */
function columnHeads(columns: readonly Column[], order: Order | undefined, { choose }: TableActions): Markup {
  const heads = columns.map(({ id, name }) => {
    const current = order?.by === id ? order : undefined;
    const sorted = current && (current.isDescending ? "descending" : "ascending");
    const sort = (): void => choose({ order: { by: id, isDescending: sorted === "ascending" } });
    const label = name === "State" ? element("span", { class: "unseen" }, name) : name;
    return element(
      "th",
      { key: id, with: { scope: "col", "aria-sort": sorted } },
      element("button", { with: { type: "button", title: `Sort by ${name}` }, on: { click: sort } }, label),
    );
  });
  return element("thead", {}, element("tr", {}, ...heads));
}

interface RowPlace {
  readonly table: TableHead;
  readonly route: Route;
  /** The address of the list that the row is in. */
  readonly list: string;
  readonly nowMs: number;
  readonly actions: TableActions;
}

const rememberedRows = remembered();

function rememberedRow(row: Row, place: RowPlace): Markup {
  const { table, route, list, nowMs } = place;
  const words = [list, row.key === route.object, ageText(row.created, nowMs), table.isNamespaced, ...table.columns].join("\n");
  return rememberedRows(row, words, () => rowView(row, place));
}

function rowView(row: Row, { table, route, nowMs, actions }: RowPlace): Markup {
  const target = { ...route, object: row.key, log: undefined };
  const isChosen = row.key === route.object;
  const cell = (text = ""): Markup => element("td", { with: { title: hint(text) } }, text);
  return element(
    "tr",
    { key: row.key, class: isChosen ? "chosen" : "", on: { click: () => actions.open(target) } },
    element("td", { class: "state" }, dot(row)),
    element(
      "td",
      { class: "name" },
      element("a", { with: { href: formatRoute(target), title: hint(row.name), "aria-current": isChosen ? "true" : undefined } }, row.name),
    ),
    table.isNamespaced ? element("td", { class: "dim" }, row.namespace) : undefined,
    table.columns.map((_column, index) => cell(row.cells[index])),
    element("td", { class: "age" }, ageText(row.created, nowMs)),
  );
}

/** What may be cut off in a cell can be read when one points at it. */
function hint(text: string): string | undefined {
  return text.length > 16 ? text : undefined;
}

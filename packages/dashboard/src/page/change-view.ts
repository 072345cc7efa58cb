import type { Change, FieldChange, ObjectName } from "./live-message.ts";
import { element } from "./markup.ts";
import type { Child, Markup } from "./markup.ts";
import type { PageState } from "./page-state.ts";
import { remembered } from "./remembered.ts";
import { formatRoute, home } from "./route.ts";
import type { Route } from "./route.ts";

/** What happened, the newest first: when, to what, by whom, and which fields. */
export function changesView(
  { changes, isToldOfChanges }: ShownChanges,
  { route, nowMs, since, namesNamespaces = false }: ChangesViewOptions,
): readonly Markup[] {
  const beats = changes.filter(({ isHeartbeat }) => isHeartbeat).length;
  const shown = route.heartbeats ? changes : changes.filter(({ isHeartbeat }) => !isHeartbeat);
  const notes = beats === 0 ? [] : [heartbeatsNote(beats, route)];
  const nothing = `Nothing ${beats === 0 ? "" : "else "}has changed since this dashboard has been watching. What does will be here as it happens.`;
  if (shown.length === 0) return [...notes, element("p", { key: "nothing", class: "empty" }, isToldOfChanges ? nothing : "…")];
  const views = shown.toReversed().map((change) => {
    const isFresh = change.atMs >= Math.max(since, nowMs - freshMs);
    return rememberedChange(change, `${isFresh} ${namesNamespaces}`, () => changeView(change, { isFresh, namesNamespaces }));
  });
  return [...notes, element("ol", { key: "changes", class: "changes" }, ...views)];
}

/** How many changes say no more than that somebody is there, and the way to see them, or not. */
function heartbeatsNote(count: number, route: Route): Markup {
  const href = formatRoute({ ...route, heartbeats: !route.heartbeats });
  const said = count === 1 ? "1 heartbeat is" : `${count} heartbeats are`;
  return element(
    "p",
    { key: "heartbeats", class: "heartbeats dim" },
    `${said} ${route.heartbeats ? "shown" : "hidden"}. `,
    element("a", { with: { href } }, route.heartbeats ? "Hide" : "Show"),
  );
}

/** What the page knows of changes. */
type ShownChanges = Pick<PageState, "changes" | "isToldOfChanges">;

/** What changes are drawn for. */
export interface ChangesViewOptions {
  readonly route: Route;
  readonly nowMs: number;
  /** When the page was opened. */
  readonly since: number;
  /** Whether objects are told with the namespaces that they are in. Default: not. */
  readonly namesNamespaces?: boolean;
}

/** For so long a change stands out. */
const freshMs = 3000;
const rememberedChange = remembered();

/** So many are seen at once. */
const mostFields = 6;

function changeView(
  change: Change,
  { isFresh, namesNamespaces }: { readonly isFresh: boolean; readonly namesNamespaces: boolean },
): Markup {
  const { id, atMs, type, object, managers } = change;
  return element(
    "li",
    { key: String(id), class: `change ${type.toLowerCase()}${isFresh ? " fresh" : ""}` },
    element(
      "div",
      { class: "what" },
      element("time", {}, timeText(atMs)),
      element("span", { class: "verb" }, type === "Changed" ? "changed" : type.toLowerCase()),
      objectLink(object, { namesNamespace: namesNamespaces }),
      managers.length === 0 ? undefined : element("span", { class: "manager" }, `by ${managers.join(", ")}`),
    ),
    fieldsView(change),
  );
}

function fieldsView({ type, fields, hidden, managers }: Change): Child {
  if (type !== "Changed") return undefined;
  if (fields === undefined) return element("p", { class: "dim" }, "What it was before was not kept.");
  if (fields.length === 0)
    return element("p", { class: "dim" }, "No field has another value: only who manages them, or the version, has changed.");
  const views = fields.map((field) => fieldView(field, managers.length > 1));
  const beyond = hidden === 0 ? undefined : element("li", { class: "dim" }, `and ${hidden} more`);
  if (views.length <= mostFields + 1) return element("ul", {}, ...views, beyond);
  const more = element("summary", {}, `${views.length + hidden - mostFields} more fields`);
  return [
    element("ul", {}, ...views.slice(0, mostFields)),
    element("details", {}, more, element("ul", {}, ...views.slice(mostFields), beyond)),
  ];
}

function fieldView({ path, before, after, manager }: FieldChange, namesManager: boolean): Markup {
  return element(
    "li",
    {},
    element("code", { class: "path" }, path),
    " ",
    before === undefined ? undefined : element("del", {}, before === "" ? '""' : before),
    before === undefined || after === undefined ? undefined : element("span", { class: "arrow", with: { "aria-label": "is now" } }, " → "),
    after === undefined ? undefined : element("ins", {}, after === "" ? '""' : after),
    namesManager && manager !== undefined ? element("span", { class: "manager" }, manager) : undefined,
  );
}

/** An object by its kind and name, with the way to it. */
export function objectLink(
  { kindId, kind, namespace, name }: ObjectName,
  { namesNamespace = false }: { readonly namesNamespace?: boolean } = {},
): Markup {
  const place = namesNamespace && namespace !== undefined ? element("span", { class: "kind" }, `${namespace}/`) : undefined;
  const label = [element("span", { class: "kind" }, kind), " ", place, element("b", {}, name)];
  if (kindId === "") return element("span", {}, ...label);
  const object = namespace === undefined ? name : `${namespace}/${name}`;
  return element("a", { with: { href: formatRoute({ ...home, kind: kindId, object }), title: namespace } }, ...label);
}

/** Of today or not: a dashboard is looked at while things happen. */
function timeText(atMs: number): string {
  const time = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, "0")}`;
}

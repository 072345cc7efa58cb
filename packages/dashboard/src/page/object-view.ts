import { ageText } from "./age.ts";
import { changesView, objectLink } from "./change-view.ts";
import { dot } from "./health-view.ts";
import type { ConditionLine, EventLine, ObjectDetail, ObjectName, TreeNode } from "./live-message.ts";
import { logView } from "./log-view.ts";
import type { LogActions } from "./log-view.ts";
import { element } from "./markup.ts";
import type { Child, Markup } from "./markup.ts";
import type { PageState } from "./page-state.ts";
import { remembered } from "./remembered.ts";
import { formatRoute } from "./route.ts";
import type { Route } from "./route.ts";
import { yamlParts } from "./yaml-line.ts";
import type { YamlPart } from "./yaml-line.ts";

/** What the view of an object is drawn for. */
export interface ObjectViewOptions {
  readonly route: Route;
  readonly nowMs: number;
  /** When the page was opened: what happened since stands out. */
  readonly since: number;
  readonly actions: LogActions;
}

/** What the page knows of the object. */
type ShownObject = Pick<PageState, "object" | "changes" | "isToldOfChanges" | "log">;

/** The chosen object: its conditions, where it stands among its owners and what it owns, what happens to all of these, and its text. */
export function objectView(state: ShownObject, options: ObjectViewOptions): readonly Markup[] {
  const { object } = state;
  if (object === "Unknown" || object === undefined) {
    const text = object === "Unknown" ? "…" : `There is no ${options.route.object ?? ""} now.`;
    return [closeLink(options.route), element("p", { class: "empty" }, text)];
  }
  const { nowMs } = options;
  const family = familyOf(object.tree);
  const warnings = object.events.filter(({ isWarning }) => isWarning).slice(0, mostWarnings);
  const events = object.events.filter((event) => !warnings.includes(event));
  const eventsPart = (title: string, lines: readonly EventLine[]): readonly Markup[] =>
    section(title, lines.length === 0 ? undefined : eventsView(lines, { title, object, nowMs }));
  return [
    objectHead(object, options),
    ...eventsPart("Warnings", warnings),
    ...section("Conditions", object.conditions.length === 0 ? undefined : conditionsView(object.conditions, nowMs)),
    ...section("Owners and owned", family && element("ul", { class: "tree" }, treeView(family))),
    ...section("Logs", object.containers.length === 0 ? undefined : logView(object.containers, state.log, options)),
    ...section("What happens", changesView(state, options)),
    ...eventsPart("Events", events),
    element(
      "details",
      { key: "yaml", class: "part" },
      element("summary", {}, "YAML"),
      rememberedYaml(object, "", () => yamlView(object.yaml)),
    ),
  ];
}

/** As many warnings are told before all else; what more there are is among the Events. */
const mostWarnings = 3;

function section(title: string, content: Child): readonly Markup[] {
  return content === undefined ? [] : [element("section", { key: title, class: "part" }, element("h2", {}, title), content)];
}

function objectHead({ kind, namespace, name, created, state, why }: ObjectDetail, { route, nowMs }: ObjectViewOptions): Markup {
  const facts = [kind, namespace, created === undefined ? undefined : `${ageText(created, nowMs)} old`].filter(
    (fact) => fact !== undefined,
  );
  return element(
    "div",
    { key: "head", class: `title ${state.toLowerCase()}` },
    closeLink(route),
    element("h1", {}, name),
    element(
      "p",
      {},
      dot({ state, why }),
      " ",
      why === "" ? undefined : element("b", {}, why),
      element("span", { class: "dim" }, facts.join(" · ")),
    ),
  );
}

function closeLink(route: Route): Markup {
  const href = formatRoute({ ...route, object: undefined, log: undefined });
  return element("a", { key: "close", class: "close", with: { href, id: "close", title: "Close (Esc)", "aria-label": "Close" } }, "×");
}

function conditionsView(conditions: readonly ConditionLine[], nowMs: number): Markup {
  const rows = conditions.map((condition) =>
    element(
      "tr",
      { key: condition.type },
      element("td", { class: "state" }, dot(condition)),
      element("td", {}, element("b", {}, condition.type), " ", condition.status),
      element("td", {}, condition.reason, condition.message === "" ? undefined : element("div", { class: "dim" }, condition.message)),
      element("td", { class: "age" }, ageText(condition.since, nowMs)),
    ),
  );
  return element("table", { class: "conditions", with: { "aria-label": "Conditions" } }, element("tbody", {}, ...rows));
}

/** A tree that there is something to see in: an owner, or something that is owned. */
function familyOf(tree: TreeNode | undefined): TreeNode | undefined {
  return tree?.isChosen === true && tree.children.length + tree.hidden === 0 ? undefined : tree;
}

function treeView(node: TreeNode): Markup {
  const { isChosen, isKnown, why, children, hidden, kindId, namespace, name } = node;
  const more = hidden === 0 ? undefined : element("li", { class: "dim", key: "more" }, `and ${hidden} more`);
  const below: readonly Child[] = [...children.map(treeView), more];
  return element(
    "li",
    { key: `${kindId} ${namespace ?? ""} ${name}` },
    element(
      "div",
      { class: isChosen ? "node chosen" : "node" },
      dot(node),
      objectLink(isKnown ? node : { ...node, kindId: "" }),
      why === "" ? undefined : element("span", { class: "dim" }, why),
    ),
    children.length + hidden === 0 ? undefined : element("ul", {}, ...below),
  );
}

function eventsView(
  events: readonly EventLine[],
  { title, object, nowMs }: { readonly title: string; readonly object: ObjectName; readonly nowMs: number },
): Markup {
  const { kindId, namespace, name } = object;
  const isOther = (about: ObjectName): boolean => about.kindId !== kindId || about.namespace !== namespace || about.name !== name;
  const rows = events.map(({ id, about, isWarning, reason, message, source, count, last }) =>
    element(
      "tr",
      { key: id, class: isWarning ? "warning" : "" },
      element("td", { class: "age" }, ageText(last, nowMs)),
      element("td", {}, element("b", {}, reason), count > 1 ? ` ×${count}` : undefined, element("div", { class: "dim" }, source)),
      element("td", {}, message, isOther(about) ? element("div", { class: "dim" }, objectLink(about)) : undefined),
    ),
  );
  return element("table", { class: "events", with: { "aria-label": title } }, element("tbody", {}, ...rows));
}

/** A browser draws no more lines than these. */
const mostLines = 3000;
const rememberedYaml = remembered();

function yamlView(yaml: string): Markup {
  const lines = yaml.trimEnd().split("\n");
  const drawn = lines.slice(0, mostLines).map((line) => element("span", {}, ...yamlParts(line).map(yamlPart), "\n"));
  return element("pre", {}, ...drawn, lines.length > mostLines ? `… ${lines.length - mostLines} more lines` : undefined);
}

function yamlPart({ type, text }: YamlPart): Child {
  return type === "Key" ? element("b", {}, text) : text;
}

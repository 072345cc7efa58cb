import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change, EventLine, KindSummary, ObjectDetail, Row } from "./live-message.ts";
import { textOf } from "./markup.ts";
import type { Markup } from "./markup.ts";
import { emptyPage } from "./page-state.ts";
import type { PageState } from "./page-state.ts";
import { pageView } from "./page-view.ts";
import { home } from "./route.ts";
import type { Route } from "./route.ts";

const hostile = `<img src=x onerror="alert(1)">'"&javascript:alert(1)`;

const kind: KindSummary = {
  id: "bars.example.com",
  kind: "Bar",
  group: "example.com",
  isCustom: true,
  count: 2,
  unready: 1,
  failing: 0,
  problem: undefined,
};
const row: Row = {
  key: "default/a",
  namespace: "default",
  name: "a",
  created: undefined,
  cells: ["3"],
  state: "Waiting",
  why: "2 of 3 ready",
};
const name = { kindId: "bars.example.com", kind: "Bar", namespace: "default", name: "a" };
const object: ObjectDetail = {
  ...name,
  state: "Waiting",
  why: "2 of 3 ready",
  created: undefined,
  conditions: [{ type: "Ready", status: "False", reason: "Waits", message: "", since: undefined, state: "Waiting", why: "Waits" }],
  tree: undefined,
  events: [],
  yaml: "kind: Bar\n",
  containers: [],
};
const change: Change = {
  id: 1,
  atMs: 0,
  type: "Changed",
  object: name,
  fields: [{ path: "spec.replicas", before: "2", after: "3", manager: "kubectl" }],
  hidden: 0,
  managers: ["kubectl"],
  isHeartbeat: false,
};

const state: PageState = {
  ...emptyPage,
  link: { type: "Live" },
  kinds: [kind],
  table: { kind: "Bar", isNamespaced: true, columns: ["Replicas"], hidden: 0, problem: undefined },
  rows: new Map([[row.key, row]]),
  object,
  changes: [change],
};

function drawn(page: PageState, route: Partial<Route>): readonly Markup[] {
  return pageView(page, {
    route: { ...home, ...route },
    nowMs: 0,
    since: 0,
    isHurried: false,
    actions: { choose: () => {}, open: () => {}, readAgain: () => {} },
  }).parts;
}

function words(page: PageState, route: Partial<Route>): string {
  return drawn(page, route).map(textOf).join("\n").replaceAll(/\s+/g, " ");
}

function titlesOf(page: PageState, route: Partial<Route>): readonly string[] {
  return drawn(page, route).flatMap((part) => [...all(part)].flatMap(({ attributes }) => attributes["title"] ?? []));
}

function* all(markup: Markup): Generator<Markup> {
  yield markup;
  for (const child of markup.children) if (typeof child !== "string") yield* all(child);
}

test("the page has kinds, their objects, and of the chosen one what it is and what happens to it", () => {
  const text = words(state, { kind: kind.id, object: row.key });
  for (const expected of [
    "Bar example.com 1 2",
    "Name Namespace Replicas Age",
    "a default 3",
    "Ready False Waits",
    "spec.replicas 2 → 3",
    "by kubectl",
  ])
    assert.ok(text.includes(expected), `${expected} in ${text}`);
});

test("each table has a name, for those who hear the page", () => {
  const events = [{ id: "e", about: name, isWarning: false, reason: "Made", message: "", source: "", count: 1, last: undefined }];
  const parts = drawn({ ...state, object: { ...object, events } }, { kind: kind.id, object: row.key });
  const tables = parts.flatMap((part) => [...all(part)].filter(({ tag }) => tag === "table"));
  assert.deepEqual(
    tables.map(({ attributes }) => attributes["aria-label"]),
    ["Bar", "Conditions", "Events"],
  );
});

test("[DB20] the newest warnings about an object are told before its conditions, and all else that is told of it after what happens", () => {
  const event = (reason: string, isWarning: boolean): EventLine => {
    return { id: reason, about: name, isWarning, reason, message: "", source: "", count: 1, last: undefined };
  };
  const warnings = ["ReconcileFailed", "Second", "Third", "Fourth"].map((reason) => event(reason, true));
  const events = [event("Made", false), ...warnings];
  const text = words({ ...state, object: { ...object, events } }, { kind: kind.id, object: row.key });
  assert.match(text, /Warnings.*ReconcileFailed.*Second.*Third.*Conditions.*What happens.*Events.*Made.*Fourth/);
});

test("[DB19] heartbeats are counted, and shown on demand", () => {
  const beats = [2, 3].map((id) => ({ ...change, id, managers: ["kubelet"], isHeartbeat: true }));
  const page = { ...state, changes: [change, ...beats] };
  const linksOf = (route: Partial<Route>): readonly unknown[] =>
    drawn(page, route)
      .flatMap((part) => [...all(part)])
      .filter(
        ({ attributes }) => attributes["href"]?.includes("heartbeats") === true || attributes["href"] === "#/bars.example.com/default/a",
      )
      .map((link) => `${textOf(link)} ${link.attributes["href"]}`);
  for (const [route, shown] of [
    [{}, "#/?heartbeats=true"],
    [{ kind: kind.id, object: row.key }, "#/bars.example.com/default/a?heartbeats=true"],
  ] as const) {
    assert.match(words(page, route), /2 heartbeats are hidden\. Show/);
    assert.doesNotMatch(words(page, route), /by kubelet/);
    assert.ok(linksOf(route).includes(`Show ${shown}`));
    assert.match(words(page, { ...route, heartbeats: true }), /2 heartbeats are shown\. Hide .*by kubelet.*by kubectl/);
    assert.doesNotMatch(words(state, route), /heartbeat/);
  }
  assert.match(words({ ...page, changes: beats, isToldOfChanges: true }, {}), /2 heartbeats are hidden\. Show Nothing else has changed/);
});

test("changes of all namespaces name theirs; those of one object need not", () => {
  assert.match(words(state, {}), /changed Bar default\/ a by kubectl/);
  assert.match(words(state, { kind: kind.id, object: row.key }), /changed Bar a by kubectl/);
});

test("a kind that may not be read is there, with why", () => {
  const page = { ...state, kinds: [{ ...kind, problem: "you may not list and watch this kind" }] };
  assert.match(words(page, {}), /Cannot be read Bar example\.com 1 –/);
  assert.ok(titlesOf(page, {}).includes("you may not list and watch this kind"));
});

test("a kind that the cluster has no more, and an object that is none, are said to be gone", () => {
  assert.match(words({ ...state, table: undefined }, { kind: kind.id }), /The cluster has no kind bars\.example\.com now/);
  assert.match(words({ ...state, object: undefined }, { kind: kind.id, object: "default/b" }), /There is no default\/b now/);
});

test("what was not kept, what has changed in no field, and what is too much is said", () => {
  const with_ = (more: Partial<Change>): string => words({ ...state, changes: [{ ...change, ...more }] }, {});
  assert.match(with_({ fields: undefined }), /What it was before was not kept/);
  assert.match(with_({ fields: [] }), /No field has another value/);
  const many = Array.from({ length: 20 }, (_, index) => ({ path: `f${index}`, before: undefined, after: "1", manager: undefined }));
  assert.match(with_({ fields: many, hidden: 5 }), /19 more fields .* and 5 more/);
});

test("[DB12] a page draws no more rows and lines than it can bear, and says how many there are", () => {
  const rows = new Map(Array.from({ length: 700 }, (_, index) => [`default/a${index}`, { ...row, key: `default/a${index}` }]));
  const yaml = "a: b\n".repeat(3100);
  const page = { ...state, rows, object: { ...object, yaml } };
  const tags = drawn(page, { kind: kind.id, object: row.key }).flatMap((part) => [...all(part)].map(({ tag }) => tag));
  assert.ok(tags.filter((tag) => tag === "tr").length < 510);
  assert.match(words(page, { kind: kind.id, object: row.key }), /200 more rows: filter to see them.*… 100 more lines/);
});

test("how the page is connected is said, and what to do about it", () => {
  const said = (link: PageState["link"]): string => words({ ...emptyPage, link }, {});
  assert.match(said({ type: "Lost", why: "it has stopped" }), /it has stopped; trying again/);
  assert.match(
    said({ type: "Refused", why: "open the address that was printed last" }),
    /not allowed open the address that was printed last/,
  );
  assert.doesNotMatch(said({ type: "Opening" }), /Nothing has changed/);
  assert.match(words({ ...state, problem: "cannot reach the cluster" }, { kind: kind.id }), /cannot reach the cluster/);
});

test("[DB6] whatever a cluster says becomes text and attributes, and no address but one of this page", () => {
  const evil: PageState = JSON.parse(
    JSON.stringify({ ...state, rows: [] }).replaceAll(/"(a|Bar|default|Ready|2 of 3 ready|spec\.replicas|kubectl|Replicas)"/g, () =>
      JSON.stringify(hostile),
    ),
  );
  const route = { kind: hostile, object: `${hostile}/${hostile}` };
  const page = { ...evil, cluster: hostile, rows: new Map([[hostile, { ...row, key: hostile, name: hostile, cells: [hostile] }]]) };
  const tags = new Set<string>();
  for (const markup of drawn(page, route).flatMap((part) => [...all(part)])) {
    tags.add(markup.tag);
    for (const attribute of Object.keys(markup.attributes)) assert.doesNotMatch(attribute, /^(on|style$|src)/);
    assert.match(markup.attributes["href"] ?? "#/", /^#\//);
  }
  assert.deepEqual(
    [...tags].filter((tag) => /script|img|iframe|object|embed|style|link/.test(tag)),
    [],
  );
  assert.ok(words(page, route).includes("<img src=x onerror="), "it is shown as it is");
});

test("[DB6] characters that turn the direction of text are shown by their numbers", () => {
  const turned = { ...row, name: "safe\u202eexe.txt\u2066", cells: ["\u05e9\u05dc\u05d5\u05dd"] };
  const text = words({ ...state, rows: new Map([["a", turned]]) }, { kind: kind.id });
  assert.ok(text.includes(String.raw`safe\u202eexe.txt\u2066`), "none of them is left");
  assert.ok(text.includes("\u05e9\u05dc\u05d5\u05dd"), "what is written from the right is");
});

test("[DB6] characters that control a terminal are shown by their numbers", () => {
  const coloured = { ...row, why: "\u001b[31mred", cells: ["\u001b[31ma\tb\u0007"] };
  const page = { ...state, rows: new Map([["a", coloured]]) };
  assert.ok(words(page, { kind: kind.id }).includes(String.raw`\u001b[31ma b\u0007`));
  assert.ok(titlesOf(page, { kind: kind.id }).includes(String.raw`\u001b[31mred`));
});

test("[DB22] how many are not ready and how many of these fail is told, with the way to them", () => {
  const failing = { ...kind, unready: 3, failing: 1 };
  const rows = [row, { ...row, key: "b", state: "Bad" }, { ...row, key: "c", state: "Good" }] as const;
  const page = { ...state, kinds: [failing], rows: new Map(rows.map((each) => [each.key, each])) };
  assert.match(words(page, {}), /3 not ready, 1 of them failing/);
  assert.match(words({ ...page, kinds: [{ ...kind, failing: 1 }] }, {}), /objects, 1 failing/);
  assert.ok(titlesOf(page, {}).includes("3 not ready, 1 of them failing"));
  const links = drawn(page, { kind: kind.id, filter: "3" }).flatMap((part) => [...all(part)].filter(({ key }) => key === "needy"));
  assert.deepEqual(
    links.map((link) => [textOf(link), link.attributes["href"]]),
    [["2 not ready, 1 of them failing", "#/bars.example.com?filter=3&sort=State"]],
  );
  assert.doesNotMatch(words({ ...state, rows: new Map([["c", rows[2]]]) }, { kind: kind.id }), /not ready/);
});

test("[DB22] what may be cut off can be read by pointing at it", () => {
  const long = "a-name-that-is-longer-than-its-column-may-be";
  const page = { ...state, rows: new Map([["a", { ...row, name: long, cells: [`${long}-too`] }]]) };
  const titles = titlesOf(page, { kind: kind.id });
  for (const expected of [long, `${long}-too`, "Bar · example.com"]) assert.ok(titles.includes(expected), expected);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change, LiveMessage, ObjectDetail, TreeNode } from "./page/live-message.ts";
import { BrowserPage } from "./testing/browser-page.ts";
import { bars, go, head, hello, kinds, openTable, row, table } from "./testing/told-table.ts";

const printed = "#token=t0ken";
const atMs = Date.UTC(2026, 0, 10);
const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>'"&javascript:alert(3)`;

const node = (kindName: string, more: Partial<TreeNode> = {}): TreeNode => ({
  kindId: kindName.toLowerCase(),
  kind: kindName,
  namespace: "default",
  name: "a",
  state: "Good",
  why: "",
  isChosen: false,
  isKnown: true,
  children: [],
  hidden: 0,
  ...more,
});
const detail: ObjectDetail = {
  kindId: bars,
  kind: "Bar",
  namespace: "default",
  name: "a",
  state: "Waiting",
  why: "1 of 3 ready",
  created: "2026-01-09T23:59:50Z",
  tree: node("Bar", {
    isChosen: true,
    children: [node("Deployment", { children: [node("Pod", { state: "Bad", why: "CrashLoopBackOff" })], hidden: 2 })],
  }),
  conditions: [{ type: "Ready", status: "False", reason: "Waits", message: "for Pods", since: undefined, state: "Waiting", why: "Waits" }],
  events: [
    {
      id: "1",
      about: node("Pod"),
      isWarning: true,
      reason: "BackOff",
      message: "restarting",
      source: "kubelet",
      count: 3,
      last: undefined,
    },
  ],
  containers: [],
  yaml: 'kind: Bar\nspec:\n  "a: b": c\n',
};
const change = (id: number, more: Partial<Change> = {}): Change => ({
  id,
  atMs: atMs + id,
  type: "Changed",
  object: detail,
  fields: [{ path: "spec.replicas", before: "2", after: "3", manager: "kubectl" }],
  hidden: 0,
  managers: ["kubectl"],
  isHeartbeat: false,
  ...more,
});

const changes = (...all: readonly Change[]): LiveMessage => ({ type: "Changes", changes: all });

test("[DB3] the token goes from the address to the header of each request, and to nobody else", async (t) => {
  const page = await BrowserPage.open(t, printed);
  const { path, authorization } = await page.asked();
  assert.deepEqual([path, authorization, page.window.location.hash], ["/live?", "Bearer t0ken", "#/"]);
  assert.ok(!page.window.document.documentElement.outerHTML.includes("t0ken"));
});

test("the kinds are listed: custom ones first, with how many there are and are not ready, and those that cannot be read with why", async (t) => {
  const page = await BrowserPage.open(t);
  const server = await page.asked();
  await server.tell(hello, kinds);
  assert.deepEqual(page.texts("nav h2"), ["Custom", "Built in", "Cannot be read"]);
  assert.deepEqual(page.texts("nav a"), ["All changes", "Barexample.com12", "Pod7", "Secret–"]);
  assert.equal(page.one('nav a[href="#/secrets"]').title, "you may not list and watch this kind");
  assert.deepEqual(page.texts("nav [aria-current=page]"), ["All changes"]);
  assert.equal(page.window.document.title, "test · kaji");
});

test("[DB13] an object has its conditions, its tree, Events and YAML, each with its way", async (t) => {
  const page = await BrowserPage.open(t, `#/${bars}/default/a`);
  const server = await page.asked();
  assert.equal(server.path, `/live?kind=${bars}&object=default%2Fa`);
  await server.tell(hello, kinds, table(row("a")), { type: "Object", object: detail }, changes());
  assert.deepEqual(page.texts("aside h1"), ["a"]);
  assert.deepEqual(page.texts("aside .conditions tr"), ["Ready FalseWaitsfor Pods"]);
  assert.deepEqual(page.texts(".tree .node"), ["Bar a", "Deployment a", "Pod aCrashLoopBackOff"]);
  assert.deepEqual(page.texts(".tree > li > ul > li > ul > li"), ["Pod aCrashLoopBackOff", "and 2 more"]);
  assert.deepEqual(page.texts(".tree .chosen"), ["Bar a"]);
  assert.deepEqual(
    page.elements(".tree a").map((link) => link.getAttribute("href")),
    ["#/bar/default/a", "#/deployment/default/a", "#/pod/default/a"],
  );
  assert.deepEqual(page.texts(".events tr.warning"), ["BackOff ×3kubeletrestartingPod a"]);
  assert.equal(page.one("aside pre").textContent, detail.yaml);
  assert.deepEqual(page.texts("aside pre b"), ["kind", "spec", '"a: b"']);
  assert.match(page.texts("aside").join(), /Nothing has changed/);
  await server.tell({ type: "Object", object: undefined });
  assert.deepEqual(page.texts("aside .empty"), ["There is no default/a now."]);
});

test("[DB10] changes are told field by field, the newest first, and one that is told again is not told twice", async (t) => {
  const page = await BrowserPage.open(t);
  const server = await page.asked();
  await server.tell(hello, kinds);
  assert.deepEqual(page.texts("main .empty"), ["…"], "what is not known yet is not said to be nothing");
  const many = Array.from({ length: 9 }, (_, index) => ({ path: `f${index}`, before: "", after: undefined, manager: undefined }));
  await server.tell(changes(change(1), change(2, { fields: many, hidden: 4, managers: [] })));
  assert.deepEqual(page.texts(".change .what .verb"), ["changed", "changed"]);
  assert.deepEqual(page.texts(".change:last-child li"), ["spec.replicas 2 → 3"]);
  assert.deepEqual([page.texts(".change:last-child del"), page.texts(".change:last-child ins")], [["2"], ["3"]]);
  assert.deepEqual(page.texts(".change:last-child .manager"), ["by kubectl"]);
  assert.deepEqual(page.texts(".change:first-child details summary"), ["7 more fields"]);
  // What the user has opened stays open, whatever comes.
  page.one(".change details").setAttribute("open", "");
  await server.tell(changes(change(3, { type: "Deleted", fields: [] })));
  assert.deepEqual(page.texts(".change .verb"), ["deleted", "changed", "changed"]);
  assert.ok(page.one(".change details").hasAttribute("open"));
  await server.break();
  page.pass(1000);
  const again = await page.asked();
  await again.tell(hello);
  assert.equal(page.texts(".change").length, 3, "what is shown stays until there is something new");
  await again.tell(changes(change(1), change(2), change(3), change(4)));
  assert.equal(page.texts(".change").length, 4);
});

test("[DB6] hostile text stays text, wherever it comes from", async (t) => {
  const evil = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (key: string, part: unknown) => (typeof part === "string" && isFree(key) ? hostile : part));
  const isFree = (key: string): boolean => !["type", "state", "created", "since", "last"].includes(key);
  const page = await BrowserPage.open(t, `#/${encodeURIComponent(hostile)}/${encodeURIComponent(hostile)}`);
  const server = await page.asked();
  await server.tell(
    { type: "Hello", cluster: hostile },
    evil(kinds),
    evil(table(row("a"))),
    evil<LiveMessage>({ type: "Object", object: detail }),
    evil(changes(change(1))),
  );
  assert.deepEqual(page.elements("img, script, style, iframe, link, object, embed, form"), []);
  for (const element of page.elements("body *")) {
    for (const { name } of element.attributes) assert.doesNotMatch(name, /^(?:on|style$|src)/);
    assert.match(element.getAttribute("href") ?? "#/", /^#\//);
  }
  for (const place of [
    ".cluster",
    "nav section .name",
    "main th:nth-child(4)",
    "main td.name",
    "aside h1",
    ".tree b",
    ".events b",
    "pre",
    ".path",
    "del",
    "ins",
  ])
    assert.ok(page.one(place).textContent.includes(hostile), place);
});

test("[DB14] a cluster that cannot be reached is said to be, where it is seen, and no more once it can", async (t) => {
  const page = await BrowserPage.open(t);
  const server = await page.asked();
  await server.tell(hello, { type: "Kinds", kinds: [], problem: "cannot reach the cluster" });
  assert.deepEqual(page.texts("header [role=alert]"), ["cannot reach the cluster"]);
  await server.tell(kinds);
  assert.deepEqual(page.texts("header [role=alert]"), []);
});

test("a lost connection is told with why, what is shown stays, and it is tried again until it works", async (t) => {
  const page = await BrowserPage.open(t, `#/${bars}`);
  const first = await openTable(page, row("a"));
  assert.deepEqual(page.texts("[role=status]"), ["live"]);
  await first.break();
  assert.deepEqual(page.texts("[role=status]"), ["the dashboard has stopped, or cannot be reached; trying again"]);
  assert.deepEqual(page.texts("main tbody .name"), ["a"]);
  page.pass(1000);
  await (await page.asked()).refuse(503, "16 pages are open already; close one of them\n");
  assert.deepEqual(page.texts("[role=status]"), ["16 pages are open already; close one of them; trying again"]);
  page.pass(1000);
  const third = await page.asked();
  await third.write('{"type":"Hello","cluster":"te');
  await third.write('st"}\nthis is no message\n');
  assert.match(page.texts("[role=status]").join(), /trying again$/);
  page.pass(1000);
  await (await page.asked()).tell(hello);
  assert.deepEqual(page.texts("[role=status]"), ["live"]);
});

test("[DB3] a refused page says what to do, asks no more, and goes on with the address that is opened then", async (t) => {
  const page = await BrowserPage.open(t, "#/");
  const why = "the token is missing or was that of an earlier run; open the address that was printed last";
  await (await page.asked()).refuse(401, why);
  assert.deepEqual([page.texts("[role=status]"), page.texts("[role=alert]")], [["not allowed"], [why]]);
  await go(page, "#token=another");
  const again = await page.asked();
  assert.equal(again.authorization, "Bearer another");
  await again.tell(hello);
  assert.deepEqual([page.texts("[role=status]"), page.texts("[role=alert]")], [["live"], []]);
});

test("another place ends what was told of the last one, and never shows it as its own", async (t) => {
  const page = await BrowserPage.open(t, `#/${bars}`);
  const first = await openTable(page, row("a"));
  await go(page, "#/pods");
  const second = await page.asked();
  assert.deepEqual([first.signal.aborted, second.path], [true, "/live?kind=pods"]);
  assert.deepEqual(page.texts("main"), ["…"]);
  await second.tell(hello, { type: "Table", table: { ...head, kind: "Pod" }, rows: [] });
  assert.deepEqual(page.texts("main h1"), ["Pod0"]);
  assert.deepEqual(page.texts("main .empty"), ["There are none."]);
});

test("the keys: / filters, the arrows walk, Escape leaves the field and then the object", async (t) => {
  const page = await BrowserPage.open(t, `#/${bars}`);
  await openTable(page, row("a"), row("b"));
  const { document } = page.window;
  const focused = (): string => document.activeElement?.id || (document.activeElement?.textContent ?? "");
  assert.equal(page.press("/", { ctrlKey: true }), true, "what the browser does with a key held is left to it");
  assert.equal(page.press("/"), false);
  assert.equal(focused(), "filter");
  assert.equal(page.press("/"), true, "in the filter it is a letter");
  const walked = ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp"].map((key) => (page.press(key), focused()));
  assert.deepEqual(walked, ["a", "b", "b", "a", "filter", "filter"]);
  assert.equal(page.press("Escape"), false, "a browser would empty the filter");
  assert.equal(document.activeElement, document.body);
  await go(page, `#/${bars}/default/b`);
  page.press("Escape");
  await page.draw();
  assert.equal(page.window.location.hash, `#/${bars}`);
  assert.equal(focused(), "b", "the focus is back where it was opened");
});

test("a page that nobody sees listens no more, and does again when it is seen", async (t) => {
  const page = await BrowserPage.open(t);
  const first = await page.asked();
  const turn = (isHidden: boolean): void => {
    Object.defineProperty(page.window.document, "hidden", { value: isHidden, configurable: true });
    page.window.document.dispatchEvent(new page.window.Event("visibilitychange"));
  };
  turn(true);
  assert.ok(first.signal.aborted);
  turn(false);
  await (await page.asked()).tell(hello);
  assert.deepEqual(page.texts("[role=status]"), ["live"]);
});

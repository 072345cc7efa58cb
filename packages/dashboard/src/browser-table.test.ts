import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "./page/live-message.ts";
import { BrowserPage } from "./testing/browser-page.ts";
import { bars, go, hello, kinds, openTable, row, table } from "./testing/told-table.ts";

test("[DB7] a table has kubectl's columns, and its rows come, change and go without the others being touched", async (t) => {
  const page = await BrowserPage.open(t, `#/${bars}`);
  const server = await openTable(page, row("b"), row("a"));
  assert.equal(server.path, `/live?kind=${bars}`);
  assert.deepEqual(page.texts("main th"), ["State", "Name", "Namespace", "Replicas", "Image", "Age"]);
  assert.deepEqual(page.texts("main tbody tr"), ["adefault3nginx10s", "bdefault3nginx10s"]);
  const [first] = page.elements("main tbody tr");
  const changed = row("a", { cells: ["4", "nginx"], state: "Bad", why: "CrashLoopBackOff" });
  await server.tell({ type: "Rows", changed: [changed, row("c")], removed: ["default/b"], hidden: 9 });
  assert.deepEqual(page.texts("main tbody tr"), ["adefault4nginx10s", "cdefault3nginx10s"]);
  assert.equal(page.elements("main tbody tr")[0], first, "a row that stays is the same element");
  assert.equal(page.one("main tbody .dot").getAttribute("aria-label"), "failing: CrashLoopBackOff");
  assert.deepEqual(page.texts("main .empty"), ["9 more objects are only counted"]);
  page.pass(5000);
  assert.deepEqual(page.texts("main td.age"), ["15s", "15s"]);
});

test("[DB16] what is written in the filter and chosen as namespace is applied at once and stands in the address", async (t) => {
  const page = await BrowserPage.open(t, `#/${bars}`);
  await openTable(page, row("web-1"), row("web-2"), row("db-1", { key: "shop/db-1", namespace: "shop" }));
  page.write("#filter", "web 2");
  await page.draw();
  assert.deepEqual(page.texts("main tbody .name"), ["web-2"]);
  assert.deepEqual(page.texts("main h1 small"), ["1 of 3"]);
  assert.equal(page.window.location.hash, `#/${bars}?filter=web+2`);
  page.write("#filter", "");
  page.write("select", "shop", "change");
  await page.draw();
  assert.deepEqual(page.texts("main tbody .name"), ["db-1"]);
  assert.equal(page.window.location.hash, `#/${bars}?namespace=shop`);
  await go(page, `#/${bars}?filter=nothing`);
  assert.deepEqual(page.texts("main .empty"), ["Nothing has this in it."]);
  assert.equal(Reflect.get(page.one("#filter"), "value"), "nothing");
});

test("[DB16, DB17] the head of a column orders by it, then the other way, and rows stay in order as they change, the focus with them", async (t) => {
  const page = await BrowserPage.open(t, `#/${bars}?filter=nginx`);
  const size = (name: string, replicas: string): Row => row(name, { cells: [replicas, "nginx"] });
  const server = await openTable(page, size("a", "10"), size("b", "9"), size("c", "100"));
  const sort = async (): Promise<readonly string[]> => {
    page.one("main th:nth-child(4) button").click();
    await page.draw();
    return [...page.texts("main tbody .name"), page.one("main th:nth-child(4)").getAttribute("aria-sort") ?? ""];
  };
  assert.deepEqual(page.elements("[aria-sort]"), []);
  page.one("main th:nth-child(4) button").focus();
  assert.deepEqual(await sort(), ["b", "a", "c", "ascending"]);
  assert.deepEqual(await sort(), ["c", "a", "b", "descending"]);
  assert.equal(page.window.document.activeElement, page.one("main th:nth-child(4) button"));
  assert.equal(page.window.location.hash, `#/${bars}?filter=nginx&sort=Replicas&order=descending`);
  page.elements("main tbody a")[2]?.focus();
  await server.tell({ type: "Rows", changed: [size("b", "1000"), size("d", "50")], removed: [], hidden: 0 });
  assert.deepEqual(page.texts("main tbody .name"), ["b", "c", "d", "a"]);
  assert.equal(page.window.document.activeElement?.textContent, "b");
  await go(page, `#/${bars}?sort=Age`);
  assert.deepEqual(page.texts("main [aria-sort=ascending]"), ["Age"]);
});

test("[DB12] of a long list the first rows are drawn at once, and the others when the reader pauses; an object that is opened changes nothing", async (t) => {
  const page = await BrowserPage.open(t, `#/${bars}`);
  await openTable(page, ...Array.from({ length: 600 }, (_, index) => row(`a${index}`)));
  const drawn = (): number => page.elements("main tbody tr").length;
  assert.deepEqual([drawn(), page.texts("main .empty")], [100, ["100 more rows: filter to see them"]]);
  page.pass(150);
  assert.equal(drawn(), 500);
  await go(page, `#/${bars}/default/a3`);
  assert.equal(drawn(), 500);
  page.write("#filter", "a");
  await page.draw();
  assert.equal(drawn(), 100);
});

test("a namespace that was chosen does not hide what is in none", async (t) => {
  const page = await BrowserPage.open(t, "#/nodes?namespace=shop");
  const server = await page.asked();
  await server.tell(hello, kinds, table(row("node-0", { key: "node-0", namespace: undefined })));
  assert.deepEqual(page.texts("main tbody .name"), ["node-0"]);
});

test("the focus stays with its row while others come and go, and goes to its neighbour if it goes itself", async (t) => {
  const page = await BrowserPage.open(t, `#/${bars}`);
  const server = await openTable(page, row("b"), row("c"), row("d"));
  const focused = (): string | undefined => page.window.document.activeElement?.textContent;
  page.elements("main tbody a")[1]?.focus();
  await server.tell({ type: "Rows", changed: [row("a")], removed: ["default/b"], hidden: 0 });
  assert.equal(focused(), "c");
  await server.tell({ type: "Rows", changed: [], removed: ["default/c"], hidden: 0 });
  assert.equal(focused(), "d");
  await server.tell({ type: "Rows", changed: [], removed: ["default/d"], hidden: 0 });
  assert.equal(focused(), "a");
});

test("a click on a row opens its object; one for another tab, or that marks text, does not", async (t) => {
  const page = await BrowserPage.open(t, `#/${bars}`);
  await openTable(page, row("a"));
  const cell = page.one("main tbody td:nth-child(4)");
  const click = (more: { readonly ctrlKey?: boolean } = {}): string => {
    cell.dispatchEvent(new page.window.MouseEvent("click", { bubbles: true, ...more }));
    return page.window.location.hash;
  };
  assert.equal(click({ ctrlKey: true }), `#/${bars}`);
  page.window.getSelection()?.selectAllChildren(cell);
  assert.equal(click(), `#/${bars}`);
  page.window.getSelection()?.removeAllRanges();
  assert.equal(click(), `#/${bars}/default/a`);
});

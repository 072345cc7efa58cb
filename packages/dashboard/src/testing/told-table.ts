import type { KindSummary, LiveMessage, Row, TableHead } from "../page/live-message.ts";
import type { AskedServer, BrowserPage } from "./browser-page.ts";

/** The kind whose table tests tell a page. */
export const bars = "bars.example.com";

const kind = (id: string, more: Partial<KindSummary> = {}): KindSummary => ({
  id,
  kind: id,
  group: "",
  isCustom: false,
  count: 2,
  unready: 0,
  failing: 0,
  problem: undefined,
  ...more,
});

/** A custom kind, a built-in one, and one that cannot be read. */
export const kinds: LiveMessage = {
  type: "Kinds",
  kinds: [
    kind(bars, { kind: "Bar", group: "example.com", isCustom: true, unready: 1 }),
    kind("pods", { kind: "Pod", count: 7 }),
    kind("secrets", { kind: "Secret", problem: "you may not list and watch this kind" }),
  ],
  problem: undefined,
};

/** A row of the table, unless said otherwise a healthy one. */
export const row = (name: string, more: Partial<Row> = {}): Row => ({
  key: `default/${name}`,
  namespace: "default",
  name,
  created: "2026-01-09T23:59:50Z",
  cells: ["3", "nginx"],
  state: "Good",
  why: "Ready",
  ...more,
});

/** The columns of the table. */
export const head: TableHead = { kind: "Bar", isNamespaced: true, columns: ["Replicas", "Image"], hidden: 0, problem: undefined };

/** The table as a whole. */
export const table = (...rows: readonly Row[]): LiveMessage => ({ type: "Table", table: head, rows });

/** How each stream begins. */
export const hello: LiveMessage = { type: "Hello", cluster: "test" };

/** Goes where a link or the user leads, as a browser does. */
export async function go(page: BrowserPage, hash: string): Promise<void> {
  page.window.location.hash = hash;
  await page.draw();
}

/** A page of a kind that has been told its rows. */
export async function openTable(page: BrowserPage, ...rows: readonly Row[]): Promise<AskedServer> {
  const server = await page.asked();
  await server.tell(hello, kinds, table(...rows));
  return server;
}

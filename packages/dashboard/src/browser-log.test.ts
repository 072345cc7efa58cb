import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContainerLine, LiveMessage, LogMessage } from "./page/live-message.ts";
import { BrowserPage } from "./testing/browser-page.ts";
import type { AskedServer } from "./testing/browser-page.ts";

const web: ContainerLine = { name: "web", run: "2026-01-01T00:00:00Z", previousRun: undefined };

function pod(...containers: readonly ContainerLine[]): LiveMessage {
  const health = { state: "Good", why: "Ready" } as const;
  const name = { kindId: "pods", kind: "Pod", namespace: "default", name: "a" };
  const empty = { created: undefined, tree: undefined, conditions: [], events: [], yaml: "kind: Pod\n" };
  return { type: "Object", object: { ...name, ...health, ...empty, containers } };
}

/** A Pod whose log is asked for, with both of the page's requests. */
async function openLog(page: BrowserPage, ...containers: readonly ContainerLine[]): Promise<readonly [AskedServer, AskedServer]> {
  const live = await page.asked();
  await live.tell({ type: "Hello", cluster: "test" }, pod(...containers));
  return [live, await page.asked()];
}

/** Tells something of a log. */
const tell = (log: AskedServer, ...messages: readonly LogMessage[]): Promise<void> =>
  log.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));

test("[DB18] a container is chosen, its log is followed, and closed again", async (t) => {
  const page = await BrowserPage.open(t, "#/pods/default/a");
  const live = await page.asked();
  await live.tell({ type: "Hello", cluster: "test" }, pod(web, { ...web, name: "sidecar" }));
  assert.deepEqual(page.texts("aside button"), ["web", "sidecar"]);
  page.elements("aside button")[1]?.click();
  await page.draw();
  assert.equal(page.window.location.hash, "#/pods/default/a?log=sidecar");
  const log = await page.asked();
  assert.deepEqual([log.path, log.authorization], ["/log?pod=default%2Fa&container=sidecar", "Bearer t0ken"]);
  await tell(log, { type: "Opened" });
  assert.match(page.texts("aside").join(), /Nothing has been written so far/);
  await tell(log, { type: "Text", text: "<b>one</b>\ntw" }, { type: "Text", text: "o\n" });
  assert.equal(page.one("#log").textContent, "<b>one</b>\ntwo\n");
  assert.deepEqual(page.elements("#log b"), []);
  const [block] = page.elements("#log span");
  await tell(log, { type: "Text", text: "three" });
  assert.deepEqual([page.one("#log").textContent, page.elements("#log span")[0]], ["<b>one</b>\ntwo\nthree", block]);
  await tell(log, { type: "Ended" });
  assert.match(page.texts("aside").join(), /The log ends here\./);
  page.one("aside button[aria-pressed=true]").click();
  await page.draw();
  assert.deepEqual([log.signal.aborted, page.elements("#log").length, page.window.location.hash], [true, 0, "#/pods/default/a"]);
});

test("[DB18] why there is no log is said, and it is asked for again when the user wants, or the container runs", async (t) => {
  const page = await BrowserPage.open(t, "#/pods/default/a?log=web");
  const [live, first] = await openLog(page, { ...web, run: undefined });
  await tell(first, { type: "Failed", why: 'container "web" in pod "a" is waiting to start: ContainerCreating' });
  assert.match(page.texts("aside .problem").join(), /^container "web" in pod "a" is waiting to start: ContainerCreating Try again$/);
  page.one("aside .problem button").click();
  await page.draw();
  const second = await page.asked();
  await tell(second, { type: "Failed", why: "still waiting" });
  await live.tell(pod(web));
  const third = await page.asked();
  assert.ok(second.signal.aborted);
  await tell(third, { type: "Opened" }, { type: "Text", text: "ready\n" });
  assert.deepEqual([page.texts("#log"), page.texts("aside .problem")], [["ready"], []]);
});

test("[DB18] the run before can be chosen where there is one, and a new run begins anew", async (t) => {
  const page = await BrowserPage.open(t, "#/pods/default/a?log=web");
  const [live, first] = await openLog(page, web);
  await tell(first, { type: "Opened" }, { type: "Text", text: "first\n" }, { type: "Ended" });
  // While it waits to be run again the log of the last run is that of this one.
  await live.tell(pod({ ...web, previousRun: web.run }));
  assert.deepEqual(page.texts("aside button"), ["web"]);
  await live.tell(pod({ ...web, run: "2026-01-01T00:00:09Z", previousRun: web.run }));
  const second = await page.asked();
  assert.deepEqual(page.texts("#log"), ["first"], "until there is something new");
  await tell(second, { type: "Opened" }, { type: "Text", text: "second\n" });
  assert.deepEqual([page.texts("#log"), page.texts("aside button")], [["second"], ["web", "the run before"]]);
  page.elements("aside button")[1]?.click();
  await page.draw();
  assert.equal((await page.asked()).path, "/log?pod=default%2Fa&container=web&previous=true");
  assert.equal(page.window.location.hash, "#/pods/default/a?log=web&previous=true");
  assert.deepEqual(page.texts("#log"), [], "what was read is not of this one");
});

test("[DB18] a log whose connection breaks is asked for again, and that of a page that nobody sees is not read", async (t) => {
  const page = await BrowserPage.open(t, "#/pods/default/a?log=web");
  const [live, first] = await openLog(page, web);
  await tell(first, { type: "Opened" }, { type: "Text", text: "one\n" });
  await first.break();
  assert.match(page.texts("aside .problem").join(), /^the dashboard has stopped, or cannot be reached/);
  assert.deepEqual(page.texts("#log"), ["one"]);
  page.pass(1000);
  const second = await page.asked();
  await tell(second, { type: "Opened" }, { type: "Text", text: "one\ntwo\n" });
  assert.deepEqual([page.texts("#log"), page.texts("aside .problem")], [["one two"], []]);
  Object.defineProperty(page.window.document, "hidden", { value: true, configurable: true });
  page.window.document.dispatchEvent(new page.window.Event("visibilitychange"));
  assert.deepEqual([live.signal.aborted, second.signal.aborted], [true, true]);
});

import type { LiveMessage } from "../page/live-message.ts";
import { emptyLog, withLogMessage } from "../page/log-state.ts";
import { wantedLog } from "../page/log-view.ts";
import { pageView } from "../page/page-view.ts";
import { emptyPage, withMessage } from "../page/page-state.ts";
import type { PageState } from "../page/page-state.ts";
import { formatRoute, parseRoute } from "../page/route.ts";
import type { Route } from "../page/route.ts";
import { browserClock } from "./browser-clock.ts";
import { keepingFocus, moveFocus, showCurrentKind } from "./focus.ts";
import { listenToKeys } from "./keys.ts";
import { follow } from "./live-link.ts";
import { LogLink } from "./log-link.ts";
import { followingLog } from "./log-scroll.ts";
import { render } from "./render.ts";
import { onTokenOfOtherTab, takeToken } from "./token.ts";

takeToken();
const since = browserClock.now();
let route = parseRoute(location.hash);
let state: PageState = emptyPage;
/** What was drawn last. */
let drawnRoute = route;
let link = new AbortController();
const log = new LogLink({
  onOther: () => (state = { ...state, log: emptyLog }),
  onMessages: (messages) => change({ ...state, log: messages.reduce(withLogMessage, state.log) }),
});
let isDrawing = false;
const actions = { choose: (choice: Partial<Route>) => replace({ ...route, ...choice }), open, readAgain: readLogAgain };

/** Draws before the browser paints next, however much has happened until then. */
function change(next: PageState): void {
  state = next;
  readLog();
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(draw);
}

/** A list that has become another one is drawn as far as one sees it, and as a whole when the reader pauses: each letter in the filter is seen at once. */
const hurryMs = 150;
let list = "";
let hurriedUntilMs = 0;

function isHurried(nowMs: number): boolean {
  const { kind, namespace, filter, order } = route;
  const now = JSON.stringify([kind, namespace, filter, order, typeof state.table]);
  if (now !== list) {
    list = now;
    hurriedUntilMs = nowMs + hurryMs;
    browserClock.timer(hurryMs, () => change(state));
  }
  return nowMs < hurriedUntilMs;
}

function draw(): void {
  isDrawing = false;
  const nowMs = browserClock.now();
  const { title, parts } = pageView(state, { route, nowMs, since, isHurried: isHurried(nowMs), actions });
  document.title = title;
  keepingFocus(() => followingLog(() => render(document.body, parts)));
  moveFocus(drawnRoute, route);
  showCurrentKind();
  drawnRoute = route;
}

/** Listens to what the server has to tell of the route; whatever was listened to before is over. */
function connect(): void {
  link.abort();
  link = new AbortController();
  if (document.hidden) return;
  const { signal } = link;
  const listener = {
    onMessages: (messages: readonly LiveMessage[]) => signal.aborted || change(messages.reduce(withMessage, state)),
    onLink: (next: PageState["link"]) => signal.aborted || change({ ...state, link: next }),
  };
  void follow(route, listener, signal);
}

/** Reads the log that the page is to show. */
function readLog(): void {
  log.read(document.hidden ? undefined : wantedLog(state.object, route));
}

function readLogAgain(): void {
  log.forget();
  change({ ...state, log: emptyLog });
}

/** The address has another route: what was shown of the last one is not of this one. */
function onRoute(): void {
  const before = route;
  route = parseRoute(location.hash);
  const isSameKind = before.kind === route.kind;
  const isSameObject = isSameKind && before.object === route.object;
  change({
    ...state,
    ...(isSameKind ? {} : { table: "Unknown", rows: new Map() }),
    ...(isSameObject ? {} : { object: "Unknown", changes: [], isToldOfChanges: false }),
  });
  if (!isSameObject) connect();
}

function open(target: Route): void {
  location.hash = formatRoute(target);
}

/** Changes the address without a step for the back button. */
function replace(target: Route): void {
  history.replaceState(undefined, "", formatRoute(target));
  onRoute();
}

/** Ages grow while nothing happens. */
function tick(): void {
  change(state);
  browserClock.timer(1000, tick);
}

/** Another token is that of another run of the dashboard: nothing that is shown is of this one. */
function startOver(): void {
  route = parseRoute(location.hash);
  change(emptyPage);
  connect();
}

addEventListener("hashchange", () => (takeToken() ? startOver() : onRoute()));
onTokenOfOtherTab(startOver);
// A page that nobody sees costs nothing, and is told all when it is seen again.
document.addEventListener("visibilitychange", () => {
  connect();
  readLog();
});
listenToKeys();
connect();
tick();

import type { TestContext } from "node:test";
import { Window } from "happy-dom";
import type { HTMLElement } from "happy-dom";
import type { LiveMessage } from "../page/live-message.ts";

const token = "t0ken";

/** The part of a browser that the page uses. */
const browserNames = [
  "document",
  "history",
  "HTMLElement",
  "HTMLInputElement",
  "HTMLSelectElement",
  "MouseEvent",
  "localStorage",
  "location",
  "Text",
] as const;

let pages = 0;

/** The page itself in a document: all of its modules, as a browser runs them. Its server, its time and its frames are the test's. */
export class BrowserPage {
  readonly window: Window;
  readonly #test: TestContext;
  /** Requests that nobody has looked at, or who waits for one. */
  readonly #asked = new Mailbox<AskedServer>();
  readonly #frames = new Mailbox<() => void>();

  private constructor(test: TestContext, hash: string) {
    this.#test = test;
    this.window = new Window({ url: `http://127.0.0.1:8001/${hash}` });
  }

  /** Opens the page with an address as it is printed, or another place in it. */
  static async open(test: TestContext, hash = `#token=${token}`): Promise<BrowserPage> {
    const page = new BrowserPage(test, hash);
    if (!hash.startsWith("#token")) page.window.localStorage.setItem("kaji-dashboard-token", token);
    page.#install();
    // Run anew for each page: a module is run once for each address it is loaded by.
    await import(new URL(`../browser/main.ts?page=${++pages}`, import.meta.url).href);
    await page.draw();
    return page;
  }

  /** The next request that the page makes of its server. */
  asked(): Promise<AskedServer> {
    return this.#asked.take();
  }

  /** Draws as soon as the page wants to. */
  async draw(): Promise<void> {
    const frame = await this.#frames.take();
    frame();
  }

  /** Time goes by, with whatever is drawn meanwhile. */
  pass(ms: number): void {
    this.#test.mock.timers.tick(ms);
    for (let frame = this.#frames.poll(); frame !== undefined; frame = this.#frames.poll()) frame();
  }

  one(selector: string): HTMLElement {
    const [element] = this.elements(selector);
    if (element === undefined) throw new Error(`the page has no ${selector}`);
    return element;
  }

  elements(selector: string): readonly HTMLElement[] {
    return [...this.window.document.querySelectorAll(selector)].filter((element) => element instanceof this.window.HTMLElement);
  }

  /** What one reads in each such element. */
  texts(selector: string): readonly string[] {
    return this.elements(selector).map(({ textContent }) => textContent.replaceAll(/\s+/g, " ").trim());
  }

  /** Presses a key where the focus is; returns whether the browser is left to do what it does. */
  press(key: string, modifiers: { readonly ctrlKey?: boolean } = {}): boolean {
    const { document, KeyboardEvent } = this.window;
    return (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...modifiers }),
    );
  }

  /** Writes or chooses in a field as a user does. */
  write(selector: string, value: string, event: "input" | "change" = "input"): void {
    const field = this.one(selector);
    Reflect.set(field, "value", value);
    field.dispatchEvent(new this.window.Event(event, { bubbles: true }));
  }

  /** Until the test is over. */
  #install(): void {
    const { window } = this;
    const replaced = new Map<string, unknown>(browserNames.map((name) => [name, window[name]]));
    replaced.set("addEventListener", window.addEventListener.bind(window));
    replaced.set("getSelection", window.getSelection.bind(window));
    replaced.set("requestAnimationFrame", (frame: () => void) => this.#frames.put(frame));
    replaced.set("fetch", (path: string, init: Asking) => {
      const asked = new AskedServer(this, path, init);
      this.#asked.put(asked);
      return asked.response;
    });
    for (const [name, value] of replaced) {
      const before = Object.getOwnPropertyDescriptor(globalThis, name);
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
      this.#test.after(() =>
        before === undefined ? Reflect.deleteProperty(globalThis, name) : Object.defineProperty(globalThis, name, before),
      );
    }
    this.#test.mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.UTC(2026, 0, 10) });
    this.#test.after(() => window.happyDOM.close());
  }
}

interface Asking {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** One request of the page, and the server's side of it. */
export class AskedServer {
  readonly path: string;
  readonly authorization: string;
  readonly signal: AbortSignal;
  readonly #page: BrowserPage;
  readonly #response = Promise.withResolvers<Response>();
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(page: BrowserPage, path: string, { headers, signal }: Asking) {
    this.#page = page;
    this.path = path;
    this.authorization = headers["authorization"] ?? "";
    this.signal = signal;
    signal.addEventListener("abort", () => {
      this.#response.reject(signal.reason);
      this.#body?.error(signal.reason);
    });
  }

  get response(): Promise<Response> {
    return this.#response.promise;
  }

  /** Tells the page something, and has it drawn. */
  async tell(...messages: readonly LiveMessage[]): Promise<void> {
    await this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  }

  /** The same with any text whatever. */
  async write(text: string): Promise<void> {
    this.#open().enqueue(new TextEncoder().encode(text));
    await this.#page.draw();
  }

  /** Says no. */
  async refuse(status: number, text: string): Promise<void> {
    this.#response.resolve(new Response(text, { status }));
    await this.#page.draw();
  }

  /** The connection breaks. */
  async break(): Promise<void> {
    if (this.#body === undefined) this.#response.reject(new TypeError("Failed to fetch"));
    else this.#body.error(new TypeError("network error"));
    await this.#page.draw();
  }

  #open(): ReadableStreamDefaultController<Uint8Array> {
    if (this.#body !== undefined) return this.#body;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (this.#body = controller) });
    this.#response.resolve(new Response(body));
    if (this.#body === undefined) throw new Error("a stream starts when it is made");
    return this.#body;
  }
}

/** Hands over what comes, to who waits for it or will. */
class Mailbox<T> {
  readonly #items: T[] = [];
  readonly #waiting: ((item: T) => void)[] = [];

  put(item: T): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#items.push(item);
    else next(item);
  }

  poll(): T | undefined {
    return this.#items.shift();
  }

  async take(): Promise<T> {
    return this.#items.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }
}

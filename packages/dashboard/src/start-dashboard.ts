import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { systemClock, systemRandom } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import type { KubeClient } from "@kaji/client";
import { answerFile, answerStream, answerStreamHead, answerText } from "./http/answer.ts";
import { refusalOf, tokenRefusal } from "./http/guard.ts";
import { listenOnLoopback } from "./http/listen.ts";
import { pageFiles } from "./http/page-files.ts";
import type { PageFile } from "./http/page-files.ts";
import type { LiveCluster } from "./live/live-cluster.ts";
import type { LiveMessage, LogMessage } from "./page/live-message.ts";
import { defaultLimits } from "./model/limits.ts";
import type { Limits } from "./model/limits.ts";

/** How a dashboard is run. */
export interface DashboardOptions {
  /** Reads the cluster, and nothing else. Whoever gave it disposes of it after the dashboard. */
  readonly client: KubeClient;
  /** How the page calls the cluster. */
  readonly cluster: string;
  /** Default any that is free. */
  readonly port?: number | undefined;
  /** Whether to watch the cluster from the beginning, and not only from when a page is first opened: what happens before is not shown. Default false. */
  readonly watchesAtOnce?: boolean | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** A page on a cluster, on this machine alone. Disposing of it ends the page and the watches. */
export interface Dashboard extends AsyncDisposable {
  /** To open in a browser. Whoever has it may read what the client may, but for the data of Secrets. */
  readonly url: string;
}

/** Serves a page that shows what is in a cluster, and what happens there. Throws a `ListenError` where the port cannot be used. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { port = 0, random = systemRandom, watchesAtOnce = false } = options;
  const token = Buffer.from(random.bytes(24)).toString("base64url");
  const handler = new Handler(options, token);
  const server = createServer((request, response) => {
    handler.answer(request, response).catch(() => response.destroy());
  });
  const address = await listenOnLoopback(server, port);
  if (watchesAtOnce) await handler.watch();
  return {
    url: `${address}/#token=${token}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      await handler[Symbol.asyncDispose]();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers requests. What looks at the cluster is loaded when it is first needed: a dashboard that nobody opens costs next to nothing. */
class Handler implements AsyncDisposable {
  readonly #options: DashboardOptions;
  readonly #token: string;
  readonly #limits: Limits;
  readonly #end = new AbortController();
  #files: ReadonlyMap<string, PageFile> | undefined;
  #cluster: Promise<LiveCluster> | undefined;
  /** How many are open of each sort. */
  readonly #streams = new Map<AskedStream["name"], number>();

  constructor(options: DashboardOptions, token: string) {
    this.#options = options;
    this.#token = token;
    this.#limits = { ...defaultLimits, ...options.limits };
  }

  /** Begins to watch the cluster, unless that has been done. */
  watch(): Promise<LiveCluster> {
    const { client, cluster, clock = systemClock, random = systemRandom } = this.#options;
    this.#cluster ??= import("./live/live-cluster.ts").then(
      ({ LiveCluster }) => new LiveCluster({ client, cluster, limits: this.#limits, clock, random }),
    );
    return this.#cluster;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request);
    if (refusal !== undefined) return answerText(response, refusal.status, refusal.message);
    const { pathname, searchParams } = new URL(`http://localhost${request.url ?? "/"}`);
    const stream = streamOf(pathname, searchParams);
    if (stream !== undefined) return this.#answerStream(request, response, stream);
    this.#files ??= pageFiles();
    const file = this.#files.get(pathname);
    if (file === undefined) return answerText(response, 404, "there is no such page; the dashboard is at /");
    answerFile(response, file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await (await this.#cluster)?.[Symbol.asyncDispose]();
  }

  async #answerStream(request: IncomingMessage, response: ServerResponse, { name, open }: AskedStream): Promise<void> {
    const refusal = tokenRefusal(request, this.#token);
    if (refusal !== undefined) return answerText(response, refusal.status, refusal.message);
    if (request.method === "HEAD") return answerStreamHead(response);
    const count = this.#streams.get(name) ?? 0;
    if (count >= this.#limits.pages) return answerText(response, 503, `${count} ${name} are open already; close one of them`);
    const closed = new AbortController();
    response.once("close", () => closed.abort());
    const signal = AbortSignal.any([this.#end.signal, closed.signal]);
    this.#streams.set(name, count + 1);
    try {
      await answerStream(response, open(await this.watch(), signal), signal);
    } finally {
      this.#streams.set(name, (this.#streams.get(name) ?? 0) - 1);
    }
  }
}

/** What goes on for as long as a page listens. */
interface AskedStream {
  readonly name: "pages" | "logs";
  readonly open: (cluster: LiveCluster, signal: AbortSignal) => AsyncIterable<readonly (LiveMessage | LogMessage)[]>;
}

/** The stream that a path asks for; undefined where it is none. */
function streamOf(path: string, query: URLSearchParams): AskedStream | undefined {
  const given = (name: string): string | undefined => query.get(name) ?? undefined;
  if (path === "/live") {
    const choice = { kind: given("kind"), object: given("object") };
    return { name: "pages", open: (cluster, signal) => cluster.stream(choice, signal) };
  }
  if (path !== "/log") return undefined;
  const choice = { pod: given("pod") ?? "", container: given("container") ?? "", isPrevious: given("previous") === "true" };
  return { name: "logs", open: (cluster, signal) => cluster.log(choice, signal) };
}

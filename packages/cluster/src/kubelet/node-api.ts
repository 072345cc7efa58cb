import { createServer } from "node:http";
import type { Server } from "node:http";
import { duplexPair } from "node:stream";
import type { Duplex } from "node:stream";
import type { Storage } from "@kaji/apiserver";
import { errorMessage, parseJsonBytes } from "@kaji/core";
import type { Pod } from "@kaji/types/core/v1";
import { nodeMetrics } from "./node-metrics.ts";
import { nodeStats } from "./node-stats.ts";
import type { NodeStats } from "./node-stats.ts";
import { podOf } from "./pod-log.ts";
import type { PodRuntime } from "./pod-runtime.ts";

/** What kubelets serve over HTTP: `/healthz`, `/pods`, `/stats/summary`, `/metrics` and `/metrics/resource`. It is reached through `nodes/proxy` only. */
export class NodeApi {
  readonly #runtime: PodRuntime;
  readonly #storage: Storage;

  constructor(runtime: PodRuntime, storage: Storage) {
    this.#runtime = runtime;
    this.#storage = storage;
  }

  /** A connection to the kubelet of a node, at some time. */
  connect(node: string, nowMs: number): Duplex {
    const [near, far] = duplexPair();
    this.#serverOf(node, nowMs).emit("connection", far);
    return near;
  }

  #serverOf(node: string, nowMs: number): Server {
    return createServer(({ method = "GET", url = "/" }, response) => {
      const { status = 200, type = "text/plain; charset=utf-8", text } = this.#reply(node, method, url, nowMs);
      response.writeHead(status, { "content-type": type, connection: "close" }).end(text);
    });
  }

  #reply(node: string, method: string, url: string, nowMs: number): NodeReply {
    try {
      const answer = this.#answer(node, new URL(url, "http://node").pathname, nowMs);
      if (answer === undefined) return { status: 404, text: "404 page not found\n" };
      return method === "GET" ? answer : { status: 405, text: "405: Method Not Allowed" };
    } catch (error) {
      return { status: 500, text: errorMessage(error) };
    }
  }

  #answer(node: string, path: string, nowMs: number): NodeReply | undefined {
    const stats = (): NodeStats => nodeStats(node, this.#podsOf(node), this.#runtime, nowMs);
    switch (path) {
      case "/healthz":
        return { text: "ok" };
      case "/pods":
        return json({ kind: "PodList", apiVersion: "v1", metadata: {}, items: this.#podsOf(node) });
      case "/stats/summary":
        return json(stats());
      case "/metrics":
      case "/metrics/resource":
        return { type: "text/plain; version=0.0.4; charset=utf-8", text: nodeMetrics(path, stats()) };
      default:
        return undefined;
    }
  }

  #podsOf(node: string): readonly Pod[] {
    const all = this.#storage.list("/registry/pods/").entries.map(({ bytes }) => podOf(parseJsonBytes(bytes)));
    return all.filter(({ spec }) => spec?.nodeName === node);
  }
}

/** What is answered. Default well, and text. */
interface NodeReply {
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
}

function json(value: object): NodeReply {
  return { type: "application/json", text: JSON.stringify(value) };
}

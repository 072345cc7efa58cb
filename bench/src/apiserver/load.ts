import { Pool } from "undici";
import type { Subject } from "./subject.ts";

/** The custom kind whose objects are written and read. */
export const benchCrd: Readonly<Record<string, unknown>> = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gauges.bench.kaji.dev" },
  spec: {
    group: "bench.kaji.dev",
    scope: "Namespaced",
    names: { plural: "gauges", singular: "gauge", kind: "Gauge", listKind: "GaugeList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  replicas: { type: "integer", minimum: 0, default: 1 },
                  image: { type: "string" },
                  note: { type: "string" },
                  labels: { type: "object", additionalProperties: { type: "string" } },
                  ports: { type: "array", items: { type: "object", properties: { name: { type: "string" }, port: { type: "integer" } } } },
                },
              },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
};

/** Where the objects are. */
export const gauges = "/apis/bench.kaji.dev/v1/namespaces/default/gauges";

/** Requests to one subject over a fixed number of connections. */
export class Load implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, ca, credentials }: Subject, connections: number) {
    const certificate = "cert" in credentials ? { cert: credentials.cert, key: credentials.key } : {};
    this.#pool = new Pool(url, { connections, pipelining: 1, connect: { ca, ...certificate }, headersTimeout: 120_000, bodyTimeout: 0 });
    this.#headers = {
      "content-type": "application/json",
      "user-agent": "bench",
      ...("token" in credentials ? { authorization: `Bearer ${credentials.token}` } : {}),
    };
  }

  /** Sends a request and reads its answer to the end; anything but success is an error that quotes it. */
  async send(method: "GET" | "POST" | "DELETE", path: string, body?: string): Promise<Uint8Array> {
    const response = await this.#pool.request({ method, path, headers: this.#headers, body: body ?? null });
    const bytes = await response.body.bytes();
    if (response.statusCode >= 400)
      throw new Error(`${method} ${path}: ${response.statusCode} ${Buffer.from(bytes).toString("utf8").slice(0, 300)}`);
    return bytes;
  }

  /** Opens a watch and calls back for each event until the signal ends it. */
  async watch(path: string, signal: AbortSignal, onEvents: (count: number) => void): Promise<void> {
    const response = await this.#pool.request({ method: "GET", path, headers: this.#headers, signal });
    try {
      for await (const piece of response.body) onEvents(countLines(piece));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }
}

/** An object of about 700 bytes. */
export function gauge(name: string): string {
  return JSON.stringify({
    apiVersion: "bench.kaji.dev/v1",
    kind: "Gauge",
    metadata: { name, labels: { app: "bench", tier: "backend" }, annotations: { note: "an object of a size that is common" } },
    spec: {
      replicas: 3,
      image: "registry.example.com/team/application:1.2.3",
      note: "x".repeat(220),
      labels: { a: "1", b: "2", c: "3" },
      ports: [
        { name: "http", port: 8080 },
        { name: "metrics", port: 9090 },
      ],
    },
  });
}

function countLines(piece: Uint8Array): number {
  let count = 0;
  for (const byte of piece) if (byte === 0x0a) count++;
  return count;
}

import { Pool } from "undici";

/** How a client shows who it is. */
export type Credentials = { readonly token: string } | { readonly key: string; readonly cert: string };

/** A server that can be asked. */
export interface Server {
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  readonly credentials: Credentials;
}

/** Requests to one server over a fixed number of connections. */
export class Load implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #connections: number;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, ca, credentials }: Server, connections: number) {
    const certificate = "cert" in credentials ? { cert: credentials.cert, key: credentials.key } : {};
    const connect = { ca, ...certificate };
    // Over HTTP/2 all requests would share one connection.
    this.#pool = new Pool(url, { connections, pipelining: 1, allowH2: false, connect, headersTimeout: 120_000, bodyTimeout: 0 });
    this.#connections = connections;
    this.#headers = {
      "content-type": "application/json",
      "user-agent": "bench",
      ...("token" in credentials ? { authorization: `Bearer ${credentials.token}` } : {}),
    };
  }

  /** Sends a request, a patch as a merge patch, and reads its answer to the end; anything but success is an error that quotes it. */
  async send(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: string): Promise<Uint8Array> {
    const headers = method === "PATCH" ? { ...this.#headers, "content-type": "application/merge-patch+json" } : this.#headers;
    const response = await this.#pool.request({ method, path, headers, body: body ?? null });
    const bytes = await response.body.bytes();
    if (response.statusCode >= 400)
      throw new Error(`${method} ${path}: ${response.statusCode} ${Buffer.from(bytes).toString("utf8").slice(0, 300)}`);
    return bytes;
  }

  /** Does something for each number below the count, over all connections at once. */
  async each(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < count) await work(next++);
    };
    await Promise.all(Array.from({ length: this.#connections }, worker));
  }

  /** The real server answers 404 for a moment after it has accepted a definition. */
  async untilServed(path: string): Promise<void> {
    for (let tries = 0; tries < 500; tries++) {
      try {
        await this.send("GET", `${path}?limit=1`);
        return;
      } catch (error) {
        if (!String(error).includes("404")) throw error;
      }
    }
    throw new Error(`${path} is not served after 500 requests`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.destroy();
  }
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { fileURLToPath } from "node:url";

/** A `kaji up` in a process of its own, and a client that uses its kubeconfig. */
export interface RunningUp extends AsyncDisposable {
  readonly url: string;
  readonly kubeconfig: string;
  readonly pid: number;
  /** The address of its page; undefined where it has none. */
  readonly dashboard?: string;
  /** The certificate of the cluster's authority. */
  readonly authority: string;
  call(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: string }>;
  /** The lines of a response as they come. */
  watch(path: string): Promise<{ next(): Promise<string | undefined> }>;
  /** Sends half a request, and resolves when the server waits for the rest. */
  hang(): Promise<{ readonly cut: Promise<unknown> }>;
  /** Sends a signal, and resolves to the exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
  /** What was written to stderr up to now. */
  err(): string;
}

/** Starts `kaji up` on a free port, with such variables in its environment, and resolves when it says that it is up. */
export async function startUp(parameters: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<RunningUp> {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const all = ["--conditions=@kaji/source", main, "up", "--port", "0", "--output", "json", ...parameters];
  const child = spawn(process.execPath, all, { env: { ...process.env, ...variables } });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const firstLine = Promise.race([once(child.stdout.setEncoding("utf8"), "data"), exited.then(() => Promise.reject(new Error(err)))]);
  const [line]: readonly string[] = await firstLine;
  const said: Pick<RunningUp, "url" | "kubeconfig" | "pid" | "dashboard"> = JSON.parse(line ?? "");
  const { url, kubeconfig } = said;
  const credentials = credentialsOf(kubeconfig);
  const send = async (method: string, path: string, body?: unknown): Promise<IncomingMessage> => {
    const sent = request(url + path, { method, ...credentials, headers: { "content-type": "application/json" } });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response]: readonly IncomingMessage[] = await once(sent, "response");
    if (response === undefined) throw new TypeError("a response event comes with a response");
    return response.setEncoding("utf8");
  };
  return {
    ...said,
    authority: credentials.ca,
    async call(method, path, body) {
      const response = await send(method, path, body);
      return { status: response.statusCode ?? 0, body: (await response.toArray()).join("") };
    },
    async watch(path) {
      const pieces: AsyncIterator<string> = (await send("GET", path))[Symbol.asyncIterator]();
      return { next: async () => (await pieces.next()).value };
    },
    async hang() {
      const sent = request(url, { method: "POST", ...credentials, headers: { "content-length": 1000, expect: "100-continue" } });
      const cut = new Promise((resolve) => sent.once("error", resolve));
      sent.flushHeaders();
      await once(sent, "continue");
      sent.write("half");
      return { cut };
    },
    stop(signal) {
      child.kill(signal);
      return exited;
    },
    err: () => err,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

interface ClientCredentials {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

function credentialsOf(kubeconfig: string): ClientCredentials {
  const text = readFileSync(kubeconfig, "utf8");
  const field = (name: string): string => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(text)?.[1] ?? "", "base64").toString("utf8");
  return { ca: field("certificate-authority-data"), cert: field("client-certificate-data"), key: field("client-key-data") };
}

import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startControlPlane } from "@kaji/cluster";
import { isJsonObject, parseJson, systemClock } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { startKube } from "@kaji-tools/kube";

/** What somebody sends over the network, as they like it: nothing is tidied on the way. */
export interface Attempt {
  readonly method?: string;
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What came of it. */
export interface Outcome {
  readonly status: number;
  readonly body: JsonValue;
  /** Of a refusal. */
  readonly message: string;
}

/** How a control plane is reached, and by what its admin is known: a certificate, or a header. */
interface Reach {
  readonly url: string;
  readonly ca: string;
  readonly admin: { readonly cert: string; readonly key: string } | { readonly headers: Readonly<Record<string, string>> };
  /** How long it may take until what was written counts for whoever authorizes. */
  readonly patienceMs: number;
}

/** A control plane on the network, ours or a real one, that is asked for what it should refuse. */
export class GuardedPlane implements AsyncDisposable {
  readonly #reach: Reach;
  readonly #url: URL;
  readonly #stack: AsyncDisposableStack;

  private constructor(reach: Reach, stack: AsyncDisposableStack) {
    this.#reach = reach;
    this.#url = new URL(reach.url);
    this.#stack = stack;
  }

  /** The embedded one, for which whatever was answered counts. */
  static async embedded(): Promise<GuardedPlane> {
    const folder = mkdtempSync(join(tmpdir(), "kaji-security-"));
    await using starting = new AsyncDisposableStack();
    starting.defer(() => rmSync(folder, { recursive: true, force: true }));
    const { url, kubeconfig } = starting.use(await startControlPlane({ folder, storage: "memory" }));
    const config = readFileSync(kubeconfig, "utf8");
    const field = (name: string): string => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(config)?.[1] ?? "", "base64").toString("utf8");
    const admin = { cert: field("client-certificate-data"), key: field("client-key-data") };
    return new GuardedPlane({ url, ca: field("certificate-authority-data"), admin, patienceMs: 0 }, starting.move());
  }

  /** A real one, which remembers for ten seconds that a token was good. */
  static async real(): Promise<GuardedPlane> {
    await using starting = new AsyncDisposableStack();
    const { server: url, ca, token } = starting.use(await startKube({ controllers: true }));
    const admin = { headers: { authorization: `Bearer ${token}` } };
    return new GuardedPlane({ url, ca, admin, patienceMs: 60_000 }, starting.move());
  }

  /** Tries until something is as expected, for as long as the control plane may take to learn of what was written; what came of it last. */
  async until(attempt: Attempt, isExpected: (outcome: Outcome) => boolean): Promise<Outcome> {
    const startMs = systemClock.monotonic();
    for (;;) {
      const outcome = await this.attempt(attempt);
      if (isExpected(outcome) || systemClock.monotonic() - startMs >= this.#reach.patienceMs) return outcome;
      await systemClock.sleep(200);
    }
  }

  /** Sends just these bytes as the path, with no more than is said here. A watch is left after its first bytes. */
  async attempt({ method = "GET", path, token, headers = {}, body }: Attempt, client: object = {}): Promise<Outcome> {
    const bytes = body === undefined ? undefined : JSON.stringify(body);
    const call = request({
      host: this.#url.hostname,
      port: this.#url.port,
      ca: this.#reach.ca,
      agent: false,
      method,
      path,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(bytes === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(bytes) }),
        ...headers,
      },
      ...client,
    });
    call.end(bytes);
    const [response] = (await once(call, "response")) as [IncomingMessage];
    const isWatch = response.statusCode === 200 && path.includes("watch");
    const said = isWatch ? String((await once(response, "data"))[0]) : await text(response);
    call.destroy();
    return outcomeOf(response.statusCode ?? 0, said);
  }

  /** The same as the cluster's admin. */
  async asAdmin(attempt: Attempt): Promise<Outcome> {
    const { admin } = this.#reach;
    return "headers" in admin
      ? this.attempt({ ...attempt, headers: { ...attempt.headers, ...admin.headers } })
      : this.attempt(attempt, admin);
  }

  /** Makes an object as the admin, who must be able to. */
  async make(path: string, body: unknown): Promise<JsonValue> {
    const { status, message, body: made } = await this.asAdmin({ method: "POST", path, body });
    if (status !== 201) throw new Error(`POST ${path}: ${message}`);
    return made;
  }

  /** A new service account and its token. */
  async account(namespace: string, name: string, spec: object = {}): Promise<string> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await this.asAdmin({ method: "POST", path, body: { metadata: { name } } });
    return this.token(namespace, name, spec);
  }

  async token(namespace: string, name: string, spec: object = {}): Promise<string> {
    const made = await this.make(`/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, { spec });
    const status = isJsonObject(made) ? made["status"] : undefined;
    const token = isJsonObject(status) ? status["token"] : undefined;
    return typeof token === "string" ? token : "";
  }

  /** Gives a service account a role of its own in its namespace. */
  async allow(namespace: string, name: string, rules: readonly object[]): Promise<void> {
    const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    await this.make(`${path}/roles`, { metadata: { name }, rules });
    const subjects = [{ kind: "ServiceAccount", name }];
    await this.make(`${path}/rolebindings`, { metadata: { name }, roleRef: { kind: "Role", name }, subjects });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** A rule for resources of the core group, or of RBAC's. */
export function rule(resources: string, verbs: string, more: object = {}): object {
  return { apiGroups: [""], resources: resources.split(" "), verbs: verbs.split(" "), ...more };
}

function outcomeOf(status: number, said: string): Outcome {
  let body: JsonValue = said;
  try {
    body = parseJson(said);
  } catch {
    // Not every answer is JSON.
  }
  const message = isJsonObject(body) && typeof body["message"] === "string" ? body["message"] : "";
  return { status, body, message };
}

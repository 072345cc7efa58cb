import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * What becomes of a request: `LostRequest` never arrives, the answer to `LostAnswer` never does, `Late` is done when the script says so, and
 * `Silent` leaves the client waiting.
 */
export type Fate = "Answered" | "LostRequest" | "LostAnswer" | "Late" | "Silent" | { readonly code: number; readonly message: string };

/** A request to etcd: its method, such as `kv/txn`, how many changes it would make, and how many keys it wants to have at most. */
export interface ScriptedRequest {
  readonly method: string;
  readonly changes: number;
  readonly limit: number | undefined;
}

const leaseSeconds = 10;

interface Stored {
  readonly value: string;
  readonly modRevision: number;
  readonly lease: string | undefined;
}

interface Body {
  readonly key?: string;
  readonly range_end?: string;
  readonly limit?: number;
  readonly ID?: string;
  readonly compare?: readonly { readonly key: string; readonly mod_revision: string }[];
  readonly success?: readonly {
    readonly request_put?: { readonly key: string; readonly value: string; readonly lease?: string };
    readonly request_delete_range?: { readonly key: string; readonly range_end: string };
  }[];
}

/** An etcd in memory with the part of its JSON gateway that storages use, whose network does what a test says. */
export class ScriptedEtcd implements AsyncDisposable {
  /** What becomes of the next requests. Default all are answered. */
  fate: (request: ScriptedRequest) => Fate = () => "Answered";
  /** The requests that have arrived, and those that have been lost. */
  readonly requests: ScriptedRequest[] = [];
  /** The revision that etcd was compacted to last. */
  compacted = 0;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #stored = new Map<string, Stored>();
  readonly #late: (() => unknown)[] = [];
  /** How many seconds each lease has left. One passes whenever somebody asks. */
  readonly #leases = new Map<string, number>();
  #revision = 1;
  #lastLease = 7_587_898_945_431_011_000n;

  static async start(): Promise<ScriptedEtcd> {
    const etcd = new ScriptedEtcd();
    etcd.#server.listen(0, "127.0.0.1");
    await once(etcd.#server, "listening");
    return etcd;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The keys below a prefix, without it. */
  keys(prefix: string): string[] {
    return [...this.#stored.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length))
      .sort(byBytes);
  }

  put(key: string, value: string): void {
    this.#stored.set(key, { value: Buffer.from(value).toString("base64"), modRevision: ++this.#revision, lease: undefined });
  }

  /** Does what has been on its way up to now. */
  arriveLate(): void {
    for (const arrive of this.#late.splice(0)) arrive();
  }

  /** Every lease runs out. */
  expireLeases(): void {
    for (const lease of this.#leases.keys()) this.#revoke(lease);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = (request.url ?? "").replace("/v3/", "");
    const text = Buffer.concat(await request.toArray()).toString();
    const body: Body = JSON.parse(text);
    const scripted = { method, changes: body.success?.length ?? 0, limit: body.limit };
    this.requests.push(scripted);
    const fate = this.fate(scripted);
    if (fate === "Late") this.#late.push(() => this.#answer(method, body));
    if (fate === "Silent") return;
    if (typeof fate === "object") return send(response, 400, fate);
    if (fate === "LostRequest" || fate === "Late") return void request.socket.destroy();
    const answer = this.#answer(method, body);
    if (fate === "LostAnswer") request.socket.destroy();
    else send(response, 200, answer);
  }

  #answer(method: string, body: Body): object {
    const header = (): object => ({ revision: String(this.#revision) });
    switch (method) {
      case "kv/range":
        return this.#range(body);
      case "kv/txn": {
        const succeeded = this.#transact(body);
        return { header: header(), succeeded };
      }
      case "lease/grant":
        this.#leases.set(String(++this.#lastLease), leaseSeconds);
        return { ID: String(this.#lastLease), TTL: String(leaseSeconds) };
      case "lease/keepalive":
        if (!this.#leases.has(body.ID ?? "")) return { result: {} };
        this.#leases.set(body.ID ?? "", leaseSeconds);
        return { result: { TTL: String(leaseSeconds) } };
      case "lease/timetolive":
        return { TTL: String(this.#age(body.ID ?? "")) };
      case "lease/revoke":
        this.#revoke(body.ID ?? "");
        return {};
      case "kv/compaction":
        this.compacted = Number((body as { readonly revision?: string }).revision);
        return {};
      default:
        throw new Error(`not scripted: ${method}`);
    }
  }

  #range({ key = "", range_end, limit = Infinity }: Body): object {
    const from = decode(key);
    const to = range_end === undefined ? undefined : decode(range_end);
    const found = this.keys("").filter((each) => (to === undefined ? each === from : each >= from && each < to));
    const kvs = found.slice(0, limit).flatMap((each) => {
      const stored = this.#stored.get(each);
      return stored === undefined
        ? []
        : [
            {
              key: Buffer.from(each).toString("base64"),
              value: stored.value,
              mod_revision: String(stored.modRevision),
              lease: stored.lease,
            },
          ];
    });
    return { kvs, more: found.length > limit };
  }

  #transact({ compare = [], success = [] }: Body): boolean {
    const isTrue = compare.every(({ key, mod_revision }) => String(this.#stored.get(decode(key))?.modRevision ?? 0) === mod_revision);
    if (!isTrue) return false;
    this.#revision++;
    for (const { request_put: put, request_delete_range: deleted } of success) {
      if (put !== undefined) this.#stored.set(decode(put.key), { value: put.value, modRevision: this.#revision, lease: put.lease });
      if (deleted === undefined) continue;
      const [from, to] = [decode(deleted.key), decode(deleted.range_end)];
      for (const key of this.keys("")) if (key >= from && key < to) this.#stored.delete(key);
    }
    return true;
  }

  #age(lease: string): number {
    const left = (this.#leases.get(lease) ?? 0) - 1;
    if (left < 0) this.#revoke(lease);
    else this.#leases.set(lease, left);
    return left;
  }

  #revoke(lease: string): void {
    this.#leases.delete(lease);
    for (const [key, stored] of this.#stored) if (stored.lease === lease) this.#stored.delete(key);
  }
}

function send(response: ServerResponse, status: number, answer: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
}

function decode(text: string): string {
  return Buffer.from(text, "base64").toString();
}

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

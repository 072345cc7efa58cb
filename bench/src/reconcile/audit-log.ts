import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** How many requests somebody made. */
export interface Requests {
  readonly all: number;
  readonly writes: number;
}

interface AuditEvent {
  readonly verb: string;
  readonly userAgent?: string;
}

const writeVerbs = new Set(["create", "update", "patch", "delete", "deletecollection"]);

/** The record that a kube-apiserver keeps of the requests it answered, in a folder of its own. */
export class AuditLog implements AsyncDisposable {
  /** What the server is started with. */
  readonly flags: readonly string[];
  readonly #folder: string;
  readonly #log: string;
  #offset = 0;

  static async create(): Promise<AuditLog> {
    const folder = await mkdtemp(join(tmpdir(), "kaji-audit-"));
    const policy = {
      apiVersion: "audit.k8s.io/v1",
      kind: "Policy",
      omitStages: ["RequestReceived", "ResponseStarted"],
      rules: [{ level: "None", userGroups: ["system:nodes"] }, { level: "None", users: ["system:apiserver"] }, { level: "Metadata" }],
    };
    await writeFile(join(folder, "policy.json"), JSON.stringify(policy));
    return new AuditLog(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
    this.#log = join(folder, "log");
    // A log that is begun anew would lose count.
    this.flags = [`--audit-policy-file=${join(folder, "policy.json")}`, `--audit-log-path=${this.#log}`, "--audit-log-maxsize=100000"];
  }

  /** How many requests were answered since this was asked before, without those of the benchmark itself. Watches count when they end. */
  async count(): Promise<Requests> {
    const { size } = await stat(this.#log);
    let [all, writes] = [0, 0];
    if (size > this.#offset) {
      // The server writes whole lines.
      for await (const line of createInterface({ input: createReadStream(this.#log, { start: this.#offset, end: size - 1 }) })) {
        const { verb, userAgent } = JSON.parse(line) as AuditEvent;
        if (userAgent === "bench") continue;
        all++;
        if (writeVerbs.has(verb)) writes++;
      }
    }
    this.#offset = size;
    return { all, writes };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

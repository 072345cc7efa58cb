import type { ApiServer } from "@kaji/apiserver";
import { ApiError } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { failureMessage } from "../controllers/failure-message.ts";
import type { LocalApi } from "./local-api.ts";
import { conditionsFor, conditionsOf } from "./namespace-conditions.ts";
import type { NamespaceFindings } from "./namespace-conditions.ts";
import { localContent, remoteContents } from "./namespace-content.ts";
import type { NamespaceContent } from "./namespace-content.ts";

/** How far the end of a namespace has come: `Waiting` for what storage tells of, or to be tried `Again` since nobody tells. */
export type DeletionProgress = "Gone" | "Waiting" | "Again";

/** Empties namespaces, pods first, and lets them go. */
export class NamespaceDeletion {
  readonly #server: ApiServer;
  readonly #api: LocalApi;

  constructor(server: ApiServer, api: LocalApi) {
    this.#server = server;
    this.#api = api;
  }

  /** Deletes what is left and, when that is nothing, the namespace itself. What cannot be deleted is in its conditions. */
  async advance(namespace: DynamicObject): Promise<DeletionProgress> {
    const { name } = namespace.metadata;
    const found = new Findings(name);
    const local = this.#server.kinds.kinds
      .filter((kind) => kind.scope === "Namespaced" && kind.verbs.includes("deletecollection"))
      .map((kind) => localContent(this.#server, this.#api, kind, name));
    for (const content of local.filter(isPods)) await found.empty(content);
    const others = local.filter((content) => !isPods(content));
    if (found.objects.size > 0) {
      for (const content of others) await found.count(content);
    } else {
      const { contents, undiscovered } = await remoteContents(this.#server, this.#api, name);
      found.undiscovered.push(...undiscovered);
      for (const content of [...others, ...contents]) await found.empty(content);
    }
    await this.#report(namespace, found);
    if (found.isUncertain) return "Again";
    if (found.objects.size > 0) return "Waiting";
    await this.#finalize(name);
    return "Gone";
  }

  async #report(namespace: DynamicObject, findings: NamespaceFindings): Promise<void> {
    const present = conditionsOf(namespace);
    const next = conditionsFor(findings, present, this.#server.clock.now());
    if (JSON.stringify(present) === JSON.stringify(next)) return;
    const { name } = namespace.metadata;
    await this.#api.send("PATCH", `/api/v1/namespaces/${name}/status`, { status: { conditions: next } }, "application/merge-patch+json");
  }

  async #finalize(name: string): Promise<void> {
    const namespace = await this.#api.send("GET", `/api/v1/namespaces/${name}`);
    const spec = { ...Object(namespace["spec"]), finalizers: [] };
    await this.#api.send("PUT", `/api/v1/namespaces/${name}/finalize`, { ...namespace, spec });
  }
}

/** Empties a namespace kind by kind, and keeps what comes of it. */
class Findings implements NamespaceFindings {
  readonly objects = new Map<string, number>();
  readonly finalizers = new Map<string, number>();
  readonly undiscovered: string[] = [];
  readonly failures: string[] = [];
  readonly #namespace: string;
  #hasRemote = false;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  /** Whether there is, or may be, something whose end nobody will tell of. */
  get isUncertain(): boolean {
    return this.#hasRemote || this.failures.length > 0 || this.undiscovered.length > 0;
  }

  /** Deletes what it can, and counts what is left. A refusal keeps no other kind from going. */
  async empty(content: NamespaceContent): Promise<void> {
    try {
      await content.deleteAll();
      const { length, finalizers } = await this.count(content);
      // Pods take their time, and so does whatever a finalizer holds; all else should be gone.
      if (length === 0 || finalizers > 0 || isPods(content)) return;
      this.failures.push(`unexpected items still remain in namespace: ${this.#namespace} for gvr: ${content.resource}`);
    } catch (error) {
      // An extension server may answer anything.
      if (!(error instanceof ApiError) && !content.isRemote) throw error;
      this.failures.push(failureMessage(error));
    }
  }

  /** Counts what is there. */
  async count(content: NamespaceContent): Promise<{ readonly length: number; readonly finalizers: number }> {
    const left = await content.left();
    const { length } = left;
    if (length > 0) this.objects.set(content.name, length);
    if (length > 0 && content.isRemote) this.#hasRemote = true;
    const finalizers = left.flatMap(({ metadata }) => metadata.finalizers ?? []);
    for (const finalizer of finalizers) this.finalizers.set(finalizer, (this.finalizers.get(finalizer) ?? 0) + 1);
    return { length, finalizers: finalizers.length };
  }
}

function isPods({ name }: NamespaceContent): boolean {
  return name === "pods.";
}

import { ClientRequestError, signClientRequest } from "@kaji/apiserver";
import type { ApiServer, Certificate } from "@kaji/apiserver";
import { formatTime } from "@kaji/core";
import type { DynamicObject, JsonObject } from "@kaji/core";
import { clientSigner } from "../admission/certificate-requests.ts";
import { numberField, objectField, objectsField, stringField, stringsField } from "../kinds/json-fields.ts";
import { afterRefusal } from "./after-refusal.ts";
import { KeyedWorker } from "./keyed-worker.ts";
import type { LocalApi } from "./local-api.ts";
import { hasTrueCondition } from "../kinds/true-condition.ts";

const prefix = "/registry/certificatesigningrequests/";
const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const optionalUsages = ["digital signature", "key encipherment"] as const;

/** Signs the certificates of clients that have been approved: those that `kubernetes.io/kube-apiserver-client` is asked for. */
export class ClientCertificates implements Disposable {
  readonly #server: ApiServer;
  readonly #api: LocalApi;
  readonly #authority: Certificate;
  readonly #requests: KeyedWorker;
  readonly #subscription: Disposable;

  constructor(server: ApiServer, api: LocalApi, authority: Certificate) {
    this.#server = server;
    this.#api = api;
    this.#authority = authority;
    this.#requests = new KeyedWorker(server.clock, { log: api.log, kind: "CertificateSigningRequest" }, (name) => this.#reconcile(name));
    const { storage } = server.registry;
    for (const { key } of storage.list(prefix).entries) this.#requests.add(key.slice(prefix.length));
    this.#subscription = storage.subscribe(prefix, storage.currentRevision, ({ type, key }) => {
      if (type === "Put") this.#requests.add(key.slice(prefix.length));
    });
  }

  /** Resolves when all that is approved has been signed or has failed. */
  settled(): Promise<void> {
    return this.#requests.settled();
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#requests[Symbol.dispose]();
  }

  async #reconcile(name: string): Promise<"Done"> {
    try {
      const request = await this.#api.send("GET", `${path}/${name}`);
      if (isWaiting(request)) await this.#api.send("PUT", `${path}/${name}/status`, { ...request, status: await this.#answer(request) });
      return "Done";
    } catch (error) {
      // Asked again, it would be as wrong.
      return error instanceof ClientRequestError ? "Done" : afterRefusal(error);
    }
  }

  async #answer(request: DynamicObject): Promise<JsonObject> {
    const { clock, random } = this.#server;
    const [spec, status] = [objectField(request, "spec"), objectField(request, "status")];
    const usages = stringsField(spec, "usages");
    const message = usageProblem(usages);
    if (message !== undefined) {
      const failed = {
        type: "Failed",
        status: "True",
        reason: "SignerValidationFailure",
        message,
        lastUpdateTime: formatTime(clock.now()),
      };
      return { ...status, conditions: [...objectsField(status, "conditions"), failed] };
    }
    const wanted = {
      request: Buffer.from(stringField(spec, "request"), "base64").toString("latin1"),
      usages: optionalUsages.filter((usage) => usages.includes(usage)),
      expirationSeconds: numberField(spec, "expirationSeconds"),
    };
    const certificate = signClientRequest(this.#authority, wanted, { clock, random });
    return { ...status, certificate: Buffer.from(certificate).toString("base64") };
  }
}

/** Whether a request is for this signer, approved, and neither answered nor failed. */
function isWaiting(request: DynamicObject): boolean {
  const status = objectField(request, "status");
  const isTrue = (type: string): boolean => hasTrueCondition(status, type);
  const isOurs = stringField(objectField(request, "spec"), "signerName") === clientSigner;
  return isOurs && isTrue("Approved") && !isTrue("Denied") && !isTrue("Failed") && stringField(status, "certificate") === "";
}

function usageProblem(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => usage !== "client auth" && !optionalUsages.some((optional) => optional === usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes("client auth") ? undefined : "missing required usage for client certificate: client auth";
}

import type { ApiServer, ServiceAccountTokens } from "@kaji/apiserver";
import { objectOf, parseJsonBytes, unlessGone } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { objectField, stringField } from "../kinds/json-fields.ts";
import { afterRefusal } from "./after-refusal.ts";
import { KeyedWorker } from "./keyed-worker.ts";
import type { LocalApi } from "./local-api.ts";

const secrets = "/registry/secrets/";
const accounts = "/registry/serviceaccounts/";
const type = "kubernetes.io/service-account-token";
const accountName = "kubernetes.io/service-account.name";
const accountUid = "kubernetes.io/service-account.uid";

/** What goes into the Secrets that keep tokens. */
export interface TokenSecretContent {
  readonly tokens: ServiceAccountTokens;
  /** By whom clients know the server (PEM). */
  readonly rootCa: string;
}

/** Puts a token of the service account that it names into every Secret of the type for it, and deletes those whose account is gone. */
export class TokenSecrets implements Disposable {
  readonly #api: LocalApi;
  readonly #content: TokenSecretContent;
  readonly #storage: ApiServer["registry"]["storage"];
  readonly #secrets: KeyedWorker;
  readonly #subscriptions: readonly Disposable[];

  constructor({ clock, registry: { storage } }: ApiServer, api: LocalApi, content: TokenSecretContent) {
    this.#api = api;
    this.#content = content;
    this.#storage = storage;
    this.#secrets = new KeyedWorker(clock, { log: api.log, kind: "Secret" }, (key) => this.#reconcile(key));
    this.#lookAt(secrets);
    const now = storage.currentRevision;
    this.#subscriptions = [
      storage.subscribe(secrets, now, (event) => {
        if (event.type === "Put") this.#expect(event.key, event.entry.bytes);
      }),
      storage.subscribe(accounts, now, ({ type: change, key }) => {
        const [namespace] = key.slice(accounts.length).split("/");
        if (change === "Delete") this.#lookAt(`${secrets}${namespace}/`);
      }),
    ];
  }

  /** Resolves when every such Secret is as it should be, as far as this can make it so. */
  settled(): Promise<void> {
    return this.#secrets.settled();
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#secrets[Symbol.dispose]();
  }

  #lookAt(path: string): void {
    for (const { key, bytes } of this.#storage.list(path).entries) this.#expect(key, bytes);
  }

  #expect(key: string, bytes: Uint8Array): void {
    // Most Secrets are not of the type, and need not be parsed to see it.
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(type) && isTokenSecret(bytes)) {
      this.#secrets.add(key.slice(secrets.length));
    }
  }

  async #reconcile(key: string): Promise<"Done"> {
    const [namespace = "", name = ""] = key.split("/");
    const path = `/api/v1/namespaces/${namespace}`;
    try {
      const secret = await this.#api.send("GET", `${path}/secrets/${name}`);
      const account = await this.#account(path, secret);
      if (account === undefined) await this.#api.send("DELETE", `${path}/secrets/${name}`, { preconditions: { uid: secret.metadata.uid } });
      else if (!this.#isComplete(secret)) await this.#api.send("PUT", `${path}/secrets/${name}`, await this.#completed(secret, account));
      return "Done";
    } catch (error) {
      return afterRefusal(error);
    }
  }

  /** The service account that a Secret means, if it is there and not another of the same name. */
  async #account(path: string, { metadata }: DynamicObject): Promise<DynamicObject | undefined> {
    const account = await unlessGone(this.#api.send("GET", `${path}/serviceaccounts/${metadata.annotations?.[accountName] ?? ""}`));
    const uid = metadata.annotations?.[accountUid] ?? "";
    return uid === "" || uid === account?.metadata.uid ? account : undefined;
  }

  #isComplete(secret: DynamicObject): boolean {
    const data = objectField(secret, "data");
    return (
      stringField(data, "ca.crt") === base64(this.#content.rootCa) && ["namespace", "token"].every((key) => stringField(data, key) !== "")
    );
  }

  async #completed(secret: DynamicObject, account: DynamicObject): Promise<DynamicObject> {
    const { name, namespace = "", annotations } = secret.metadata;
    const { uid = "", name: accountOf } = account.metadata;
    const data = objectField(secret, "data");
    const serviceAccount = { name: accountOf, uid };
    const token = stringField(data, "token") || base64(await this.#content.tokens.issueKept({ namespace, secret: name, serviceAccount }));
    return {
      ...secret,
      metadata: { ...secret.metadata, annotations: { ...annotations, [accountName]: accountOf, [accountUid]: uid } },
      data: { ...data, "ca.crt": base64(this.#content.rootCa), namespace: stringField(data, "namespace") || base64(namespace), token },
    };
  }
}

function isTokenSecret(bytes: Uint8Array): boolean {
  return stringField(objectOf(parseJsonBytes(bytes)), "type") === type;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

import { formatApiVersion, formatTime } from "@kaji/core";
import type { AdmissionPlugin } from "../admission.ts";
import type { Write } from "../apply/field-manager.ts";
import type { Authorizer } from "../auth/authorizer.ts";
import type { Kind, KindVersion } from "../kind.ts";
import type { KindRegistry } from "../kind-registry.ts";
import type { DecodeOptions } from "../request/body.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { WriteOptions } from "../request/write-options.ts";
import type { ServerSchemas } from "../server-schemas.ts";
import type { Storage } from "../storage/storage.ts";
import { FieldManagers } from "./field-managers.ts";
import { ObjectStore } from "./object-store.ts";
import type { Target } from "./target.ts";

/** What a registry is made of. */
type RegistryParts = Pick<Registry, "storage" | "kinds" | "admission" | "schemas" | "authorize" | "markedForMs">;

/** What the verbs work on: storage, and what every write has to pass. */
export class Registry {
  readonly storage: Storage;
  readonly admission: readonly AdmissionPlugin[];
  readonly schemas: ServerSchemas;
  /** Decides what a request turns out to take beyond its own verb. */
  readonly authorize: Authorizer;
  /** How long an object stays that is marked as deleted without any time left. */
  readonly markedForMs: number;
  /** What is served at this moment. */
  readonly kinds: KindRegistry;
  /** Who keeps track of the owners of fields. */
  readonly fieldManagers: FieldManagers = new FieldManagers();
  /** Made when a version of a kind is first used, and let go of with it. */
  readonly #stores = new WeakMap<KindVersion, ObjectStore>();

  constructor({ storage, kinds, admission, schemas, authorize, markedForMs }: RegistryParts) {
    this.storage = storage;
    this.kinds = kinds;
    this.admission = admission;
    this.schemas = schemas;
    this.authorize = authorize;
    this.markedForMs = markedForMs;
  }

  /** The objects of a kind in one version. */
  store(kind: Kind, version: KindVersion): ObjectStore {
    let store = this.#stores.get(version);
    if (store === undefined) {
      store = new ObjectStore(this.storage, kind, version);
      this.#stores.set(version, store);
    }
    return store;
  }
}

/** How the body of a write is read. */
export function reading(
  { kinds }: Registry,
  { warn }: RequestContext,
  { fieldValidation }: Pick<WriteOptions, "fieldValidation">,
): DecodeOptions {
  return { fieldValidation, warn, knows: (type) => kinds.knows(type) };
}

/** Who writes to a target, and when, as the owners of fields are recorded. */
export function writeBy(manager: string, { kind, version, subresource }: Target, nowMs: number): Write {
  const apiVersion = formatApiVersion({ group: kind.group, version: version.version });
  return { manager, apiVersion, ...(subresource === undefined ? {} : { subresource }), now: formatTime(nowMs) };
}

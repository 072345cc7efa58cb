import { compileSelector, parseApiVersion } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { formatGoKind } from "@kaji/core/go";
import type { KindRegistry, ServedVersion } from "../kind-registry.ts";
import { ObjectStore } from "../registry/object-store.ts";
import { ServedObject } from "../registry/served-object.ts";
import type { Storage } from "../storage/storage.ts";
import type { ParamKind, ParamRef } from "./validating-policy.ts";

/** A policy or a binding that cannot be what it says; counts by the failure policy. */
export class PolicyMisconfigured extends Error {
  override readonly name = "PolicyMisconfigured";
}

/** The kind of a policy's parameters. */
export function servedParamKind(paramKind: ParamKind, kinds: KindRegistry): ServedVersion {
  const found = kinds.named(paramKind);
  if (found !== undefined) return found;
  const { apiVersion, kind } = paramKind;
  const missing = formatGoKind({ ...parseApiVersion(apiVersion), kind });
  throw new PolicyMisconfigured(`failed to find resource referenced by paramKind: '${missing}'`);
}

/** The objects that a binding names as parameters, one by one to be evaluated with. */
export async function findParams(
  { kind, version }: ServedVersion,
  reference: ParamRef,
  requestNamespace: string,
  storage: Storage,
): Promise<readonly DynamicObject[]> {
  const store = new ObjectStore(storage, kind, version);
  const namespace = kind.scope === "Namespaced" ? paramNamespace(reference, requestNamespace) : clusterWide(reference);
  const found = await foundParams(store, reference, namespace, storage);
  if (found.length === 0 && reference.parameterNotFoundAction === "Deny") {
    throw new PolicyMisconfigured("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return found;
}

function paramNamespace({ namespace = "" }: ParamRef, requestNamespace: string): string {
  const name = namespace || requestNamespace;
  if (name !== "") return name;
  throw new PolicyMisconfigured("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
}

function clusterWide({ namespace = "" }: ParamRef): undefined {
  if (namespace !== "") throw new PolicyMisconfigured("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
}

async function foundParams(
  store: ObjectStore,
  { name = "", selector = {} }: ParamRef,
  namespace: string | undefined,
  storage: Storage,
): Promise<readonly DynamicObject[]> {
  if (name !== "") {
    const served = await store.read(namespace, name);
    return served === undefined ? [] : [served.object];
  }
  const all = await ServedObject.load(storage.list(store.path(namespace)).entries, store.codec);
  const selected = compileSelector(selector);
  return all.map(({ object }) => object).filter(({ metadata }) => selected.matches(metadata.labels));
}

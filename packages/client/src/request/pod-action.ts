import { Pod } from "@kaji/types/core/v1";
import type { ApiCall } from "./api-caller.ts";
import { objectPath, parseAddress } from "./object-address.ts";
import type { ObjectAddress } from "./object-address.ts";

/** Asks that a Pod be assigned to a node; with a uid, that Pod and no later one of its name. */
export function bindingCall(pod: ObjectAddress, node: string, uid: string | undefined): ApiCall {
  const { namespace, name } = parseAddress(pod);
  const metadata = { name, namespace, ...(uid === undefined ? {} : { uid }) };
  const target = { apiVersion: "v1", kind: "Node", name: node };
  return { method: "POST", path: objectPath(Pod, pod, "binding"), body: { apiVersion: "v1", kind: "Binding", metadata, target } };
}

/** Asks that a Pod be deleted, if its disruption budgets allow it. */
export function evictionCall(pod: ObjectAddress, deleteOptions: unknown): ApiCall {
  const { namespace, name } = parseAddress(pod);
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace }, deleteOptions };
  return { method: "POST", path: objectPath(Pod, pod, "eviction"), body };
}

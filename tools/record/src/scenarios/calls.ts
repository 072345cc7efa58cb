import type { JsonObject, JsonValue } from "@kaji/core";
import type { Step } from "../exchange.ts";

/** The requests a scenario makes to one kind. */
export interface Calls {
  create(body: JsonObject, query?: string): Step;
  get(name: string): Step;
  list(query?: string): Step;
  /** One object, or without a name all, as the rows that `kubectl get` prints. */
  table(name?: string): Step;
  replace(name: string, body: JsonObject): Step;
  /** A merge patch, unless the type says otherwise. */
  patch(name: string, body: JsonValue, type?: "json" | "strategic" | "apply"): Step;
  remove(name: string, options?: JsonObject): Step;
}

/** Makes requests to the kind at a path, such as `/apis/apps/v1/namespaces/default/deployments`. */
export function callsTo(path: string): Calls {
  return {
    create: (body, query = "") => ({ method: "POST", path: path + query, body }),
    get: (name) => ({ method: "GET", path: `${path}/${name}` }),
    list: (query = "") => ({ method: "GET", path: path + query }),
    table: (name) => ({
      method: "GET",
      path: name === undefined ? path : `${path}/${name}`,
      headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    }),
    replace: (name, body) => ({ method: "PUT", path: `${path}/${name}`, body }),
    patch: (name, body, type) => patchStep(`${path}/${name}`, body, type),
    remove: (name, options) => ({ method: "DELETE", path: `${path}/${name}`, ...(options === undefined ? {} : { body: options }) }),
  };
}

/** Sends a request as somebody else, by impersonation. */
export function as(user: string, step: Step, groups?: string): Step {
  const impersonation = { "impersonate-user": user, ...(groups === undefined ? {} : { "impersonate-group": groups }) };
  return { ...step, headers: { ...step.headers, ...impersonation } };
}

/** Sends a request with a token, which may be that of an earlier answer: `{{0.status.token}}`. Empty: with no credentials at all. */
export function withToken(token: string, step: Step): Step {
  return { ...step, headers: { ...step.headers, authorization: token === "" ? "" : `Bearer ${token}` } };
}

function patchStep(path: string, body: JsonValue, type: "json" | "strategic" | "apply" | undefined): Step {
  switch (type) {
    case undefined:
      return { method: "PATCH", path, body };
    case "json":
      return { method: "PATCH", path, body, headers: { "content-type": "application/json-patch+json" } };
    case "strategic":
      return { method: "PATCH", path, body, headers: { "content-type": "application/strategic-merge-patch+json" } };
    case "apply":
      return { method: "PATCH", path: `${path}?fieldManager=applier`, body, headers: { "content-type": "application/apply-patch+yaml" } };
    default:
      return type satisfies never;
  }
}

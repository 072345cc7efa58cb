import { dns1123LabelErrors, dns1123SubdomainErrors } from "@kaji/core";
import { declare, memberOverload } from "../check/declaration.ts";
import type { FunctionDeclaration } from "../check/declaration.ts";
import { boolType, namedType, stringType } from "../check/type.ts";
import type { Type } from "../check/type.ts";
import { ErrorValue, noSuchOverload } from "../value/value.ts";
import type { OpaqueValue, Value } from "../value/value.ts";

/** A request that an expression asks about: may this be done? */
export type AuthorizationCheck = { readonly serviceAccount: ServiceAccount | undefined; readonly verb: string } & (
  | { readonly type: "Path"; readonly path: string }
  | ({ readonly type: "Resource" } & ResourceCheckFields)
);

/** The service account that a check is about; otherwise it is about the user who sent the request. */
export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

/** The resource that a check is about. Fields that the expression does not set are empty. */
export interface ResourceCheckFields {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** Whether it may be done. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

/** Decides checks; provided by the caller that evaluates an expression, such as the API server. */
export type Authorize = (check: AuthorizationCheck) => AuthorizationDecision;

/** The value for a variable such as `authorizer`. */
export function authorizerValue(authorize: Authorize): OpaqueValue {
  return new AuthorizationValue("Authorizer", { authorize, serviceAccount: undefined });
}

/** The value for a variable such as `authorizer.requestResource`. */
export function resourceCheckValue(authorize: Authorize, resource: Partial<ResourceCheckFields>): OpaqueValue {
  return new AuthorizationValue("ResourceCheck", { authorize, serviceAccount: undefined, ...anyResource, ...resource });
}

interface Asking {
  readonly authorize: Authorize;
  readonly serviceAccount: ServiceAccount | undefined;
}

/** What the calls of an expression have set so far, from `authorizer` to `check`. */
interface Contents {
  readonly Authorizer: Asking;
  readonly PathCheck: Asking & { readonly path: string };
  readonly GroupCheck: Asking & { readonly group: string };
  readonly ResourceCheck: Asking & ResourceCheckFields;
  readonly Decision: AuthorizationDecision;
}

class AuthorizationValue<K extends keyof Contents> implements OpaqueValue {
  readonly kind = "opaque";
  readonly typeName: string;
  readonly content: Contents[K];

  constructor(type: K, content: Contents[K]) {
    this.typeName = typeNameOf(type);
    this.content = content;
  }

  /** Authorizers cannot be compared. */
  equals(): ErrorValue {
    return noSuchOverload;
  }
}

const anyResource: ResourceCheckFields = {
  group: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
  fieldSelector: "",
  labelSelector: "",
};

function typeOf<K extends keyof Contents>(name: K): Type<AuthorizationValue<K>> {
  return namedType(typeNameOf(name));
}

function typeNameOf(name: keyof Contents): string {
  return `kubernetes.authorization.${name}`;
}

/** The type of `authorizer`. */
export const authorizerType: Type<OpaqueValue> = typeOf("Authorizer");
/** The type of `authorizer.requestResource`. */
export const resourceCheckType: Type<OpaqueValue> = typeOf("ResourceCheck");

const askerType = typeOf("Authorizer");
const pathType = typeOf("PathCheck");
const groupType = typeOf("GroupCheck");
const resourceType = typeOf("ResourceCheck");
const decisionType = typeOf("Decision");

/** The functions that ask whether a request would be allowed. */
export const authorizer: readonly FunctionDeclaration[] = [
  declare(
    "path",
    memberOverload("authorizer_path", [askerType, stringType], pathType, ({ content }, path) => ofPath(content, path)),
  ),
  declare(
    "group",
    memberOverload(
      "authorizer_group",
      [askerType, stringType],
      groupType,
      ({ content }, group) => new AuthorizationValue("GroupCheck", { ...content, group }),
    ),
  ),
  declare(
    "serviceAccount",
    memberOverload("authorizer_serviceaccount", [askerType, stringType, stringType], askerType, ({ content }, namespace, name) =>
      ofServiceAccount(content, namespace, name),
    ),
  ),
  declare(
    "resource",
    memberOverload("groupcheck_resource", [groupType, stringType], resourceType, ({ content }, resource) => ofResource(content, resource)),
  ),
  narrowed("subresource", "resourcecheck_subresource"),
  narrowed("namespace", "resourcecheck_namespace"),
  narrowed("name", "resourcecheck_name"),
  narrowed("fieldSelector", "authorizer_fieldselector"),
  narrowed("labelSelector", "authorizer_labelselector"),
  declare(
    "check",
    memberOverload("pathcheck_check", [pathType, stringType], decisionType, ({ content: { authorize, serviceAccount, path } }, verb) =>
      decision(authorize({ type: "Path", serviceAccount, path, verb })),
    ),
    memberOverload("resourcecheck_check", [resourceType, stringType], decisionType, ({ content: { authorize, ...about } }, verb) =>
      decision(authorize({ type: "Resource", ...about, verb })),
    ),
  ),
  declare(
    "allowed",
    memberOverload("decision_allowed", [decisionType], boolType, ({ content }) => content.allowed),
  ),
  declare(
    "reason",
    memberOverload("decision_reason", [decisionType], stringType, ({ content }) => content.reason),
  ),
  declare(
    "errored",
    memberOverload("decision_errored", [decisionType], boolType, ({ content }) => content.error !== undefined),
  ),
  declare(
    "error",
    memberOverload("decision_error", [decisionType], stringType, ({ content }) => content.error ?? ""),
  ),
];

function narrowed(field: Exclude<keyof ResourceCheckFields, "group" | "resource">, id: string): FunctionDeclaration {
  const narrow = ({ content }: AuthorizationValue<"ResourceCheck">, value: string): Value =>
    new AuthorizationValue("ResourceCheck", { ...content, [field]: value });
  return declare(field, memberOverload(id, [resourceType, stringType], resourceType, narrow));
}

function ofPath(asking: Asking, path: string): Value {
  return path.trim() === "" ? new ErrorValue("path must not be empty") : new AuthorizationValue("PathCheck", { ...asking, path });
}

function ofResource({ authorize, serviceAccount, group }: Contents["GroupCheck"], resource: string): Value {
  if (resource.trim() === "") return new ErrorValue("resource must not be empty");
  return new AuthorizationValue("ResourceCheck", { ...anyResource, authorize, serviceAccount, group, resource });
}

function ofServiceAccount({ authorize }: Asking, namespace: string, name: string): Value {
  if (dns1123SubdomainErrors(name).length > 0) return new ErrorValue("Invalid service account name");
  if (dns1123LabelErrors(namespace).length > 0) return new ErrorValue("Invalid service account namespace");
  return new AuthorizationValue("Authorizer", { authorize, serviceAccount: { namespace, name } });
}

function decision(content: AuthorizationDecision): Value {
  return new AuthorizationValue("Decision", content);
}

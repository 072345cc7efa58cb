import { refusal } from "../error/api-error.ts";
import type { ApiError } from "../error/api-error.ts";
import { quote } from "../go/go-quote.ts";
import type { PathRequest, ResourceRequest } from "./request-info.ts";
import type { UserInfo } from "./user-info.ts";

/** What a user wants to do: what a request asks for, or anything that is authorized likewise, such as to `impersonate`. */
export type Access = ResourceAccess | PathRequest;

/** Something to be done with objects of a kind. The verb may be any word. */
export interface ResourceAccess extends Omit<ResourceRequest, "verb" | "path" | "subpath"> {
  readonly verb: string;
  /** Which of the objects, by their fields. Absent: all. */
  readonly fieldSelector?: readonly SelectorRequirement[];
  /** Which of them, by their labels. Absent: all. */
  readonly labelSelector?: readonly SelectorRequirement[];
}

/** One condition on what is asked for, as a SubjectAccessReview has it. */
export type SelectorRequirement = {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values?: readonly string[];
};

/** The `spec` of a SubjectAccessReview. */
export type AccessReviewSpec = {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
} & AccessAttributes;

type AccessAttributes =
  | { readonly nonResourceAttributes: { readonly path: string; readonly verb: string } }
  | { readonly resourceAttributes: Readonly<Record<string, string | { readonly requirements: readonly SelectorRequirement[] }>> };

/** Asks whether a user may do something. */
export function accessReviewSpec({ username, uid, groups, extra }: UserInfo, access: Access): AccessReviewSpec {
  return {
    user: username,
    groups,
    ...(uid === undefined ? {} : { uid }),
    ...(extra === undefined ? {} : { extra }),
    ...attributesOf(access),
  };
}

function attributesOf(access: Access): AccessAttributes {
  if (access.type === "Path") return { nonResourceAttributes: { path: access.path, verb: access.verb } };
  const { verb, group, version, resource, subresource, namespace, name, fieldSelector: fields, labelSelector: labels } = access;
  const fieldSelector = fields && { requirements: fields };
  const labelSelector = labels && { requirements: labels };
  const given = { verb, group, version, resource, subresource, namespace, name, fieldSelector, labelSelector };
  return {
    resourceAttributes: Object.fromEntries(Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
  };
}

/** 403, in the words of the real server. */
export function forbiddenAccess(user: UserInfo, access: Access, reason: string): ApiError {
  const why = `${withoutMarkup(refused(user, access))}${reason === "" ? "" : `: ${reason}`}`;
  if (access.type === "Path") return refusal("Forbidden", `forbidden: ${why}`, {});
  const { group, resource, name } = access;
  const subject = `${resource}${group === "" ? "" : `.${group}`}${name === undefined ? "" : ` ${quote(name)}`}`;
  const details = {
    ...(name === undefined ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(resource === "" ? {} : { kind: resource }),
  };
  return refusal("Forbidden", resource === "" ? `forbidden: ${why}` : `${subject} is forbidden: ${why}`, details);
}

function refused(user: UserInfo, access: Access): string {
  const who = `User ${quote(user.username)} cannot ${access.verb}`;
  if (access.type === "Path") return `${who} path ${quote(access.path)}`;
  const { group, resource, subresource, namespace } = access;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace ${quote(namespace)}`;
  return `${who} resource ${quote(full)} in API group ${quote(group)} ${where}`;
}

const markup: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Escapes markup in a refusal, so that a browser shows it as text. */
function withoutMarkup(text: string): string {
  return text.replaceAll(/[&<>]/g, (letter) => markup[letter] ?? letter);
}

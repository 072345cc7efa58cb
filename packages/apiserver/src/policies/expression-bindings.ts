import { jsonOf } from "@kaji/core";
import { authorizerValue, jsonValue, resourceCheckValue } from "@kaji/cel";
import type { Bindings } from "@kaji/cel";
import type { DynamicObject, GroupVersionResource, JsonObject, JsonValue } from "@kaji/core";
import { reviewDescription } from "../webhooks/admission-review.ts";
import type { ReviewSubject, ReviewTarget } from "../webhooks/review-target.ts";
import type { RequestAuthorizer } from "./request-authorizer.ts";

/** A write as expressions see it: in the version that a rule names. */
export interface ExpressionSubject {
  readonly subject: ReviewSubject;
  readonly target: ReviewTarget;
  readonly object: DynamicObject | undefined;
  readonly oldObject: DynamicObject | undefined;
}

/** What `object`, `oldObject` and `request` stand for. `resource` is the one that the request is said to match. */
export function subjectBindings({ subject, target, object, oldObject }: ExpressionSubject, resource: GroupVersionResource): Bindings {
  const { dryRun, options } = subject.request;
  return {
    object: jsonValue(json(object && (target.served.version.schema.shown?.(object) ?? object))),
    oldObject: jsonValue(json(oldObject)),
    request: jsonValue({ ...reviewDescription(subject, { ...target, resource }), dryRun, options }),
  };
}

/** What `authorizer` and `authorizer.requestResource` stand for. */
export function authorizerBindings(authorizer: RequestAuthorizer, subject: ReviewSubject): Bindings {
  const { group, resource, subresource, namespace, name } = subject;
  return {
    authorizer: authorizerValue(authorizer.check),
    "authorizer.requestResource": resourceCheckValue(authorizer.check, { group, resource, subresource, namespace, name }),
  };
}

/** What `params` stands for. */
export function paramsBinding(params: DynamicObject | undefined): Bindings {
  return { params: jsonValue(json(params)) };
}

/** What `namespaceObject` stands for: a namespace without its managed fields and owner references. */
export function namespaceBinding(namespace: DynamicObject | undefined): Bindings {
  if (namespace === undefined) return { namespaceObject: null };
  const { metadata, spec = {}, status = {} } = namespace as Readonly<Record<string, JsonObject>>;
  const shown = Object.entries(metadata ?? {}).filter(([name]) => namespaceMetadata.has(name));
  return { namespaceObject: jsonValue({ metadata: Object.fromEntries(shown), spec, status }) };
}

const namespaceMetadata: ReadonlySet<string> = new Set([
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "finalizers",
]);

function json(object: DynamicObject | undefined): JsonValue {
  return object === undefined ? null : jsonOf(object);
}

import { formatApiVersion } from "@kaji/core";
import type { DynamicObject, GroupVersionKind, GroupVersionResource } from "@kaji/core";
import type { AdmissionRequest } from "../admission.ts";
import type { Kind, KindVersion } from "../kind.ts";
import type { KindRegistry } from "../kind-registry.ts";
import type { Target } from "../registry/target.ts";
import { convertObject } from "../registry/convert-object.ts";
import { isExempt } from "./rule.ts";
import type { RuleSubject } from "./rule.ts";

/** A write as one webhook is told of it: in the version that its rules name. */
export interface ReviewTarget {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** The kind in that version, which reads and completes what comes back. */
  readonly served: { readonly kind: Kind; readonly version: KindVersion };
}

/** The parts of a write that do not depend on who is asked. */
export interface ReviewSubject extends RuleSubject {
  readonly request: AdmissionRequest;
  readonly name: string;
  readonly requested: ReviewTarget;
}

/** What a write is about; undefined when it is never reviewed. */
export function reviewSubject(request: AdmissionRequest): ReviewSubject | undefined {
  const { target, operation, object, context } = request;
  const requested = reviewTarget(target, target);
  if (isExempt(requested.kind)) return undefined;
  // A collection is deleted object by object, but asked about as a whole.
  const name = context.info.verb === "deletecollection" ? "" : (target.name ?? object?.metadata.name ?? "");
  const isNamespace = target.kind.group === "" && target.kind.plural === "namespaces";
  return {
    request,
    operation,
    group: requested.resource.group,
    version: requested.resource.version,
    resource: requested.resource.resource,
    subresource: target.subresource ?? "",
    namespace: isNamespace ? name : (target.namespace ?? ""),
    name,
    requested,
  };
}

/** The other kinds and versions as which the same objects are served. */
export function equivalentTargets({ request: { target } }: ReviewSubject, kinds: KindRegistry): readonly ReviewTarget[] {
  const sharing = kinds.sharing(target.kind);
  const isAlone = sharing.length === 1 && target.kind.versions.length === 1;
  if (isAlone) return [];
  return sharing
    .filter((kind) => kind === target.kind || kind.verbs.includes("get"))
    .flatMap((kind) => kind.versions.map((version) => ({ kind, version })))
    .filter(({ version }) => version !== target.version && (target.subresource === undefined || target.subresource in version.subresources))
    .map((served) => reviewTarget(served, target));
}

/** An object of one of the versions as which it is served, in another. */
export async function convertForReview(object: DynamicObject, from: ReviewTarget, to: ReviewTarget): Promise<DynamicObject> {
  if (from.served.version === to.served.version || formatApiVersion(from.kind) === formatApiVersion(to.kind)) return object;
  return { ...(await convertObject(object, from.served, to.served)), kind: to.kind.kind, apiVersion: formatApiVersion(to.kind) };
}

function reviewTarget(served: Pick<Target, "kind" | "version">, { subresource }: Pick<Target, "subresource">): ReviewTarget {
  const { kind, version } = served;
  const found = subresource === undefined ? undefined : version.subresources[subresource];
  const own = { group: kind.group, version: version.version };
  const resource = { ...own, resource: kind.plural };
  if (found?.type === "Scale") return { kind: { group: "autoscaling", version: "v1", kind: "Scale" }, resource, served };
  if (found?.type === "Action") return { kind: { group: found.group, version: found.version, kind: found.kind }, resource, served };
  return { kind: { ...own, kind: found?.type === "Connect" || found?.type === "Proxy" ? found.kind : kind.kind }, resource, served };
}

import { ParseError } from "../error/parse-error.ts";

/** An API group and one of its versions. The core group is the empty string. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** The type of an object, as its `apiVersion` and `kind` name it. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** The path segment under which objects are served, such as `deployments` in `apps/v1`. */
export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** `apps/v1` → group `apps`, version `v1`; `v1` → the core group. */
export function parseApiVersion(apiVersion: string): GroupVersion {
  const slash = apiVersion.indexOf("/");
  const version = apiVersion.slice(slash + 1);
  if (slash === 0 || version === "" || version.includes("/")) {
    throw new ParseError(`apiVersion "${apiVersion}" is not of the form VERSION or GROUP/VERSION`);
  }
  return { group: slash < 0 ? "" : apiVersion.slice(0, slash), version };
}

/** The inverse of `parseApiVersion`. */
export function formatApiVersion({ group, version }: GroupVersion): string {
  return group === "" ? version : `${group}/${version}`;
}

/** `deployments` of `apps` → `deployments.apps`; what is of the core group goes by its name alone. */
export function withGroup(name: string, group: string): string {
  return group === "" ? name : `${name}.${group}`;
}

/** `apps/v1, Kind=Deployment`, the form Kubernetes uses in its own messages. */
export function formatKind(gvk: GroupVersionKind): string {
  return `${formatApiVersion(gvk)}, Kind=${gvk.kind}`;
}

/** Reads what `formatKind` writes. */
export function parseKind(text: string): GroupVersionKind {
  const [, apiVersion, kind] = /^([^,\s]+), Kind=(\S+)$/.exec(text) ?? [];
  if (apiVersion === undefined || kind === undefined) throw new ParseError(`"${text}" is not of the form APIVERSION, Kind=NAME`);
  return { ...parseApiVersion(apiVersion), kind };
}

/** `apps/v1, Resource=deployments`, the form Kubernetes uses in its own messages. */
export function formatResource(gvr: GroupVersionResource): string {
  return `${formatApiVersion(gvr)}, Resource=${gvr.resource}`;
}

/** Whether what is asked for at a path goes on for as long as it likes: a watch, or a log that is followed. */
export function isStream(path: string): boolean {
  return /[?&](?:watch|follow)=(?:true|1)(?:&|$)/.test(path);
}

/**
 * A path without what is different from object to object, such as `/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale`: there are
 * only so many of them, so that requests can be counted by them.
 */
export function pathTemplate(path: string): string {
  const [bare = ""] = path.split("?", 1);
  const [, prefix = "", rest = ""] = /^(.*?\/(?:api\/v[^/]+|apis\/[^/]+\/v[^/]+))(\/.*)$/.exec(bare) ?? [];
  if (rest === "") return bare;
  const [, first = "", second, ...others] = rest.split("/");
  const isInNamespace = first === "namespaces" && second !== undefined && others.length > 0 && !namespaceParts.includes(others[0] ?? "");
  const [plural = "", name, ...subresource] = isInNamespace ? others : [first, second, ...others];
  const segments = [
    ...(isInNamespace ? ["namespaces", "{namespace}"] : []),
    plural,
    ...(name === undefined ? [] : ["{name}"]),
    ...subresource,
  ];
  return `${prefix}/${segments.join("/")}`;
}

/** What stands below one namespace and is part of it. */
const namespaceParts: readonly string[] = ["status", "finalize"];

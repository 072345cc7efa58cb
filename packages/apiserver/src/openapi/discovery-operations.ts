import type { GroupVersion } from "@kaji/core";
import { metaDefinitionName } from "./definition-name.ts";
import type { Operation } from "./operation.ts";
import { operationId, tagOf } from "./operation-id.ts";

/** Asking which versions the core group has. */
export function coreDiscovery(): Operation {
  return { ...discovery("/api/", "APIVersions"), id: operationId({ verb: "get", subject: "APIVersions" }, ""), tag: tagOf("") };
}

/** Asking which groups there are. */
export function groupsDiscovery(): Operation {
  return { ...discovery("/apis/", "APIGroupList"), id: "getAPIVersions", tag: "apis" };
}

/** Asking which versions a group has. */
export function groupDiscovery(group: string): Operation {
  return { ...discovery(`/apis/${group}/`, "APIGroup"), id: operationId({ verb: "get", subject: "APIGroup" }, group), tag: tagOf(group) };
}

/** Asking which kinds a version of a group has. */
export function versionDiscovery({ group, version }: GroupVersion): Operation {
  const path = group === "" ? `/api/${version}/` : `/apis/${group}/${version}/`;
  const id = operationId({ verb: "get", subject: "APIResources" }, group, version);
  return { ...discovery(path, "APIResourceList"), id, tag: tagOf(group, version) };
}

const documents: readonly string[] = ["application/json", "application/yaml"];

function discovery(path: string, answer: string): Omit<Operation, "id" | "tag"> {
  return {
    path,
    method: "get",
    parameters: [],
    consumes: documents,
    produces: documents,
    answer: metaDefinitionName(answer),
    codes: [200],
  };
}

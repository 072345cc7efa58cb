import { formatApiVersion, isRecord, parseApiVersion } from "@kaji/core";
import type { GroupVersion } from "@kaji/core";
import type { APIGroupList, APIResourceList, APIVersions } from "@kaji/types/meta/v1";
import type { ApiCaller } from "../request/api-caller.ts";
import type { DiscoveryResult } from "./discovery-result.ts";
import { askForDocument } from "../response/object-answer.ts";
import { listOf, servedResource } from "./served-resource.ts";
import type { ServedResource } from "./served-resource.ts";

/** The group versions of a root document; those a server prefers come first in their group. */
export function groupVersionsOf(root: APIVersions | APIGroupList): readonly GroupVersion[] {
  if ("versions" in root) return listOf(root.versions).map((version) => ({ group: "", version }));
  return listOf(root.groups).flatMap(({ preferredVersion, versions }) => {
    const names = listOf(versions).map(({ groupVersion }) => groupVersion);
    const preferred = names.filter((name) => name === preferredVersion?.groupVersion);
    return [...new Set([...preferred, ...names])].map(parseApiVersion);
  });
}

/** Asks for one group version after the other. One that does not answer is a failure of its own. */
export async function readPlain(api: ApiCaller, groupVersions: readonly GroupVersion[], signal?: AbortSignal): Promise<DiscoveryResult> {
  const failures = new Map<string, Error>();
  const lists = await Promise.all(
    groupVersions.map(async (groupVersion) => {
      try {
        return await resourcesIn(api, groupVersion, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof Error)) throw error;
        failures.set(formatApiVersion(groupVersion), error);
        return [];
      }
    }),
  );
  return { resources: lists.flat(), failures };
}

/** What is served in one group version. */
export async function resourcesIn(api: ApiCaller, groupVersion: GroupVersion, signal?: AbortSignal): Promise<readonly ServedResource[]> {
  const path = `${groupVersion.group === "" ? "/api" : "/apis"}/${formatApiVersion(groupVersion)}`;
  const list = await askForDocument(api, { method: "GET", path, signal }, isResourceList, "a list of resources");
  const resources = listOf(list.resources);
  const subresources = new Map<string, string[]>();
  for (const { name } of resources) {
    const [plural = "", ...rest] = name.split("/");
    if (rest.length > 0) subresources.set(plural, [...(subresources.get(plural) ?? []), rest.join("/")]);
  }
  return resources
    .filter(({ name }) => !name.includes("/"))
    .map(({ name, singularName, namespaced, ...facts }) =>
      servedResource(
        groupVersion,
        { ...facts, plural: name, singular: singularName, isNamespaced: namespaced },
        subresources.get(name) ?? [],
      ),
    );
}

function isResourceList(value: unknown): value is APIResourceList {
  return isRecord(value) && (value["kind"] ?? "APIResourceList") === "APIResourceList";
}

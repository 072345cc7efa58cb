import { apiServicePrefix, readApiService } from "@kaji/apiserver";
import type { ApiServer, Kind } from "@kaji/apiserver";
import { formatApiVersion, isJsonObject, isReason, objectOf, parseJsonBytes } from "@kaji/core";
import type { DynamicObject, JsonObject, KubeObject } from "@kaji/core";
import { objectsField, stringField, stringsField } from "../kinds/json-fields.ts";
import type { LocalApi } from "./local-api.ts";

/** The objects of one kind in a namespace. */
export interface NamespaceContent {
  /** `PLURAL.GROUP`. */
  readonly name: string;
  /** As errors name it: `GROUP/VERSION, Resource=PLURAL`. */
  readonly resource: string;
  /** Whether an extension server has them, so that nobody hears of it when one is gone. */
  readonly isRemote: boolean;
  /** Deletes them all, or has them begin to go. */
  deleteAll(): Promise<void>;
  /** Those that are there. */
  left(): Promise<readonly Pick<KubeObject, "metadata">[]>;
}

/** Objects of a kind that the server keeps itself. */
export function localContent(server: ApiServer, api: LocalApi, kind: Kind, namespace: string): NamespaceContent {
  const { group, plural, versions, storagePrefix } = kind;
  const version = versions[0]?.version ?? "v1";
  const { storage } = server.registry;
  const prefix = `${storagePrefix}${namespace}/`;
  const path = `${group === "" ? "/api" : "/apis"}/${formatApiVersion({ group, version })}/namespaces/${namespace}/${plural}`;
  return {
    name: `${plural}.${group}`,
    resource: `${group}/${version}, Resource=${plural}`,
    isRemote: false,
    async deleteAll() {
      if (storage.count(prefix) > 0) await api.send("DELETE", `${path}?propagationPolicy=Background`);
    },
    // Metadata is the same in every version, so that no object need be converted.
    left: async () => storage.list(prefix).entries.map(({ bytes }) => objectOf(parseJsonBytes(bytes))),
  };
}

/** What extension servers have in a namespace, and the versions of groups of which it is not known what they serve. */
export async function remoteContents(
  server: ApiServer,
  api: LocalApi,
  namespace: string,
): Promise<{ readonly contents: readonly NamespaceContent[]; readonly undiscovered: readonly string[] }> {
  const contents: NamespaceContent[] = [];
  const undiscovered: string[] = [];
  for (const { bytes } of server.registry.storage.list(apiServicePrefix).entries) {
    const { remote, group, version } = readApiService(bytes);
    if (remote === undefined) continue;
    try {
      const served = await api.send("GET", `/apis/${group}/${version}`);
      const kinds = objectsField(served, "resources").filter(isDeletable);
      contents.push(...kinds.map((kind) => remoteContent(api, kind, { group, version, namespace })));
    } catch {
      undiscovered.push(`${group}/${version}`);
    }
  }
  return { contents, undiscovered };
}

function isDeletable(resource: JsonObject): boolean {
  const isKind = !stringField(resource, "name").includes("/");
  return isKind && resource["namespaced"] === true && stringsField(resource, "verbs").includes("delete");
}

interface Place {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
}

/** Without `deletecollection` objects are deleted one by one; without `list` nobody knows of any. */
function remoteContent(api: LocalApi, kind: JsonObject, { group, version, namespace }: Place): NamespaceContent {
  const [plural, verbs] = [stringField(kind, "name"), stringsField(kind, "verbs")];
  const path = `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;
  const left = async (): Promise<readonly DynamicObject[]> => {
    const list = verbs.includes("list") ? await unlessUnknown(api.send("GET", path)) : undefined;
    return objectsField(list, "items").flatMap((item) => (isJsonObject(item["metadata"]) ? [objectOf(item)] : []));
  };
  return {
    name: `${plural}.${group}`,
    resource: `${group}/${version}, Resource=${plural}`,
    isRemote: true,
    left,
    async deleteAll() {
      const names = verbs.includes("deletecollection")
        ? [""]
        : (await left()).map(({ metadata }) => `/${encodeURIComponent(metadata.name)}`);
      for (const name of names) await unlessUnknown(api.send("DELETE", `${path}${name}?propagationPolicy=Background`));
    },
  };
}

/** An object may be gone meanwhile, and discovery may tell of more than there is. */
async function unlessUnknown(answer: Promise<DynamicObject>): Promise<DynamicObject | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isReason(error, "NotFound", "MethodNotAllowed")) return undefined;
    throw error;
  }
}

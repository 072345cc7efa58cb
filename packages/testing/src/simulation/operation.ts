import type { KubeClient, MergePatch } from "@kaji/client";
import { objectKey, parseObjectKey } from "@kaji/core";
import type { Draft, KubeObject, Resource } from "@kaji/core";

/** Something that a user does. */
export interface Operation {
  /** What it is, in a few words. */
  readonly text: string;
  /** The kind that it is about, where it is known. */
  readonly resource?: Resource | undefined;
  run(client: KubeClient): Promise<unknown>;
}

/** The operations that users are known for. */
export interface UserVerbs {
  create<T extends KubeObject>(resource: Resource<T>, object: Draft<T>): Operation;
  /** Changes the fields that are in the patch, and removes those that are null in it. */
  patch<T extends KubeObject>(resource: Resource<T>, address: string, patch: MergePatch<T>): Operation;
  delete(resource: Resource, address: string): Operation;
}

/** Makes operations. */
export const user: UserVerbs = {
  create(resource, object) {
    const { metadata } = object;
    const { name = "", namespace } = metadata as { readonly name?: string; readonly namespace?: string };
    return {
      text: `create ${resource.kind} ${objectKey({ name, namespace })} ${valueText(object)}`,
      resource,
      run: (client) => client.create(resource, object),
    };
  },
  patch(resource, address, patch) {
    const key = parseObjectKey(address);
    return {
      text: `patch ${resource.kind} ${objectKey(key)} ${JSON.stringify(patch)}`,
      resource,
      run: (client) => client.mergePatch(resource, key, patch),
    };
  },
  delete(resource, address) {
    const key = parseObjectKey(address);
    return { text: `delete ${resource.kind} ${objectKey(key)}`, resource, run: (client) => client.delete(resource, key) };
  },
};

function valueText(object: object): string {
  const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...rest } = object as Record<string, unknown>;
  return JSON.stringify(rest);
}

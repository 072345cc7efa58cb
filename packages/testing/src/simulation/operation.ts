import type { DeleteOptions, KubeClient, MergePatch, UpdateOptions } from "@kaji/client";
import { durationMs, jsonOf, objectKey, parseObjectKey } from "@kaji/core";
import type { Draft, DraftMeta, DurationLike, JsonObject, KubeObject, Resource } from "@kaji/core";

/** Something that a user does, or that happens outside the cluster. */
export interface Operation {
  /** What it is, in a few words. */
  readonly text: string;
  /** The kind that it is about, where it is known. */
  readonly resource?: Resource | undefined;
  /** Given what is outside as the test made it: nothing that is done to it here goes wrong. */
  run(client: KubeClient, external: object): Promise<unknown>;
  /** Whether it changes what is outside the cluster, and nothing in it. */
  readonly isOutside?: true;
  /** What it writes, where it can be told to write something else. */
  readonly value?: JsonObject | undefined;
  /** The same operation with something else to write. */
  readonly withValue?: ((value: JsonObject) => Operation) | undefined;
  /** How long users do nothing after it, whatever happens meanwhile. */
  readonly waitMs?: number | undefined;
}

/** The operations that users are known for. */
export interface UserVerbs<External extends object = object> {
  create<T extends KubeObject>(resource: Resource<T>, object: Draft<T>): Operation;
  /**
   * Changes the fields that are in the patch, and removes those that are null in it. With `subresource: "status"` it writes the status as another controller that shares it would: objects that it adds to lists there are that
   * one's, and the operator has to keep them.
   */
  mergePatch<T extends KubeObject>(
    resource: Resource<T>,
    address: string,
    patch: MergePatch<T>,
    options?: Pick<UpdateOptions, "subresource">,
  ): Operation;
  /** In the foreground an object stays until its children are gone; by default they follow it. */
  delete(resource: Resource, address: string, options?: Pick<DeleteOptions, "propagationPolicy">): Operation;
  /** Lets time go by, with all that is due in it: for a controller that goes by the clock. */
  wait(duration: DurationLike): Operation;
  /**
   * Changes what is outside the cluster, and what operators are to follow, such as the length of a queue; `text` says what happens, as in `the queue fills`. Nobody is told: where the operator does not look again by itself within 15 minutes,
   * `wait` gives it the time.
   */
  outside(text: string, change: (external: External) => void): Operation;
}

/** Makes operations. */
export const user: UserVerbs = {
  create(resource, object) {
    const { metadata } = object;
    const { name = "", namespace, ...marks }: DraftMeta = metadata;
    const value = contentOf(object);
    const shown = Object.keys(marks).length === 0 ? value : { metadata: marks, ...value };
    return {
      text: `create ${resource.kind} ${objectKey({ name, namespace })} ${JSON.stringify(shown)}`,
      resource,
      run: (client) => client.create(resource, object),
      value,
      // What is left of a value of the kind is still one, or the server refuses it.
      withValue: (simpler) => user.create(resource, { ...simpler, metadata } as typeof object),
    };
  },
  mergePatch(resource, address, patch, { subresource } = {}) {
    const key = parseObjectKey(address);
    const part = subresource === undefined ? "" : `/${subresource}`;
    const options = subresource === undefined ? {} : { subresource };
    return {
      text: `patch ${resource.kind}${part} ${objectKey(key)} ${JSON.stringify(patch)}`,
      resource,
      run: (client) => client.mergePatch(resource, key, patch, options),
      value: jsonOf(patch),
      withValue: (simpler) => user.mergePatch(resource, address, simpler as typeof patch, options),
    };
  },
  delete(resource, address, { propagationPolicy } = {}) {
    const key = parseObjectKey(address);
    const how = propagationPolicy === undefined ? "" : ` (${propagationPolicy})`;
    const options = propagationPolicy === undefined ? {} : { propagationPolicy };
    return { text: `delete ${resource.kind} ${objectKey(key)}${how}`, resource, run: (client) => client.delete(resource, key, options) };
  },
  wait(duration) {
    const length = typeof duration === "number" ? `${duration} ms` : duration;
    return { text: `let ${length} go by`, run: async () => {}, waitMs: durationMs(duration) };
  },
  outside(text, change) {
    return { text: `outside: ${text}`, isOutside: true, run: async (_client, external) => change(external) };
  },
};

function contentOf(object: object): JsonObject {
  const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...rest } = jsonOf(object);
  return rest;
}

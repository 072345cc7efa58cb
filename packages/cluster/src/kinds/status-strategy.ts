import type { Strategy } from "@kaji/apiserver";
import type { DynamicObject } from "@kaji/core";
import { keepMetadata } from "./keep-metadata.ts";

/** How most kinds behave: `spec` is the client's, `status` is not, where it is a subresource of its own that starts out as given. */
export function objectStrategy(firstStatus: (() => unknown) | undefined, returnsDeleted: boolean): Strategy {
  return {
    generationOf: "none",
    resetFields: firstStatus === undefined ? [] : [["status"]],
    returnsDeleted,
    ...(firstStatus === undefined
      ? {}
      : {
          prepareCreate: (object) => withStatus(object, firstStatus()),
          prepareUpdate: (object, old) => withStatus(object, old["status"]),
        }),
  };
}

/** A write through `status` leaves `spec` as it is, whatever the client sends. */
export const statusStrategy: Strategy = {
  generationOf: "none",
  resetFields: [["spec"]],
  prepareUpdate: (object, old) => ({ ...object, spec: old["spec"] }),
};

/** For kinds whose `status` endpoint leaves the metadata as it is, too. */
export const statusAlone: Partial<Strategy> = {
  resetFields: [["metadata"], ["spec"]],
  prepareUpdate: keepMetadata,
};

/**
 * A kind's own strategy on top of the usual one: what it does to an object it does after the usual has been done,
 * anything else it says takes the place of the usual.
 */
export function onTopOf(usual: Strategy, own: Partial<Strategy> = {}): Strategy {
  const { prepareCreate: create = same, prepareUpdate: update = same } = usual;
  const { prepareCreate, prepareUpdate } = own;
  return {
    ...usual,
    ...own,
    ...(prepareCreate === undefined ? {} : { prepareCreate: (object, context) => prepareCreate(create(object, context), context) }),
    ...(prepareUpdate === undefined
      ? {}
      : { prepareUpdate: (object, old, context) => prepareUpdate(update(object, old, context), old, context) }),
  };
}

function same(object: DynamicObject): DynamicObject {
  return object;
}

function withStatus(object: DynamicObject, status: unknown): DynamicObject {
  const { status: _status, ...rest } = object;
  return status === undefined ? rest : { ...rest, status };
}

import { isReason } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { deleteOptions } from "../request/delete-options.ts";
import type { RequestContext } from "../request/request-context.ts";
import { deleteObject, warnOfPropagation } from "./delete.ts";
import { list } from "./list.ts";
import type { Listing } from "./listing.ts";
import type { Registry } from "./registry.ts";
import type { Target } from "./target.ts";

/** So many objects are deleted at the same time. If it were all of them, their webhooks would have no time left when it is their turn. */
const atOnce = 64;

/** DELETE on a collection: deletes each object that is selected, and answers with them all. What cannot be deleted ends it. */
export async function deleteCollection(registry: Registry, target: Target, context: RequestContext): Promise<Listing> {
  const options = deleteOptions(context, registry.schemas.deleteOptions);
  warnOfPropagation(target, options, context);
  const listing = await list(registry, target, context);
  const deleteOne = async ({ metadata: { name, namespace } }: DynamicObject): Promise<void> => {
    try {
      await deleteObject(registry, { ...target, name, namespace }, context, options);
    } catch (error) {
      // Another client deleted it first, which is as well.
      if (!isReason(error, "NotFound")) throw error;
    }
  };
  const rest = eachOf(listing);
  const deleteSome = async (): Promise<void> => {
    // A loop that fails ends the generator, and so the others.
    for (const object of rest) await deleteOne(object);
  };
  await Promise.all(Array.from({ length: atOnce }, deleteSome));
  return listing;
}

function* eachOf({ items }: Listing): Generator<DynamicObject> {
  for (const { object } of items) yield object;
}

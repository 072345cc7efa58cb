import { isReason } from "@kaji/core";
import { deleteOptions } from "../request/delete-options.ts";
import type { RequestContext } from "../request/request-context.ts";
import { deleteObject, warnOfPropagation } from "./delete.ts";
import { list } from "./list.ts";
import type { Listing } from "./list.ts";
import type { Registry } from "./registry.ts";
import type { Target } from "./target.ts";

/** DELETE on a collection: deletes each object that is selected, one by one, and answers with them all. */
export async function deleteCollection(registry: Registry, target: Target, context: RequestContext): Promise<Listing> {
  const options = deleteOptions(context, registry.schemas.deleteOptions);
  warnOfPropagation(target, options, context);
  const listing = await list(registry, target, context);
  await Promise.all(
    listing.items.map(async ({ object }) => {
      const { name, namespace } = object.metadata;
      try {
        await deleteObject(registry, { ...target, name, namespace }, context, options);
      } catch (error) {
        // Another client deleted it first, which is as well.
        if (!isReason(error, "NotFound")) throw error;
      }
    }),
  );
  return listing;
}

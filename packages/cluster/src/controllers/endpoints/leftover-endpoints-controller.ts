import { objectKey } from "@kaji/core";
import { defineController, watch } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Endpoints, Service } from "@kaji/types/core/v1";
import { managedLabel } from "./endpoints-controller.ts";

/** Deletes the Endpoints of a Service that is gone; those that a user made without a Service stay. */
export const leftoverEndpointsController: Controller = defineController(Endpoints, {
  name: "endpoints-controller",
  predicates: [({ object }) => object?.metadata.labels?.[managedLabel] !== undefined],
  watches: [
    watch(Service, {
      predicates: [({ object }) => object === undefined],
      toKeys: ({ metadata }) => [objectKey(metadata)],
    }),
  ],
  selfVerbs: ["delete"],
  async reconcile(endpoints, { cache, client, live }) {
    const { metadata } = endpoints;
    if (metadata.deletionTimestamp !== undefined || cache.get(Service, metadata) !== undefined) return;
    if ((await live.get(Service, metadata)) === undefined) await client.delete(Endpoints, endpoints);
  },
});

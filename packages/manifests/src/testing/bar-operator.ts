import { defineResource, k } from "@kaji/core/define";
import { defineController, defineOperator, use, webhook } from "@kaji/runtime";
import type { OperatorDefinition } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { Node } from "@kaji/types/core/v1";
import { z } from "zod";

const Bar = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Bar",
  spec: z.object({ deploymentName: k.dnsLabel(), replicas: z.int32().default(1) }),
  status: z.object({ availableReplicas: z.int32().optional() }),
});

const controller = defineController(Bar, { owns: [Deployment], uses: [use(Node, "list")], reconcile: () => undefined });

/** A resource, a controller that touches a kind of the cluster's own, and no webhooks. */
export const barOperator: OperatorDefinition = defineOperator({ name: "bars", controllers: [controller] });

/** The same with webhooks. */
export const calledOperator: OperatorDefinition = defineOperator({
  name: "bars",
  controllers: [controller],
  webhooks: [webhook(Bar, { default: () => {}, validate: () => {} })],
});

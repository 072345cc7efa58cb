import { isDryRun } from "../dry-run.ts";
import type { KindDetails } from "../kind-details.ts";
import { bindPod } from "./pod-actions.ts";

/** `Binding`: the older way to assign a pod to a node: what is sent is done, and nothing kept. */
export const bindingDetails: KindDetails = {
  answer: (binding, context) => {
    const { info } = context.request;
    return bindPod(binding, info.type === "Resource" ? info.namespace : undefined, context, isDryRun(context.request));
  },
};

import { checkPolicyTypes } from "@kaji/apiserver";
import type { Discovery } from "@kaji/client";
import { isReason } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { defineController } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { ValidatingAdmissionPolicy } from "@kaji/types/admissionregistration/v1";

/** Says in the status of each policy what is doubtful about its expressions, given the kinds it is about. The policy is enforced all the same. */
export function createPolicyStatusController(discovery: Discovery): Controller {
  return defineController(ValidatingAdmissionPolicy, {
    name: "validatingadmissionpolicy-status-controller",
    selfVerbs: ["patch/status"],
    concurrency: 5,
    async reconcile(policy, { client, signal }) {
      const { name, generation = 0 } = policy.metadata;
      if (generation <= (policy.status?.observedGeneration ?? 0)) return;
      const { resources } = await discovery.all(signal);
      const expressionWarnings = await checkPolicyTypes(policy, resources, (apiVersion) => documentOf(discovery, apiVersion, signal));
      const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
      const wanted = { metadata: { name }, status: { observedGeneration: generation, typeChecking } };
      await client.applyStatus(ValidatingAdmissionPolicy, wanted, { fieldManager: "validatingadmissionpolicy-status", force: true });
    },
  });
}

/** A kind that is not published is not checked. */
async function documentOf(discovery: Discovery, apiVersion: string, signal: AbortSignal): Promise<JsonObject | undefined> {
  try {
    return await discovery.openApi(apiVersion, signal);
  } catch (error) {
    if (isReason(error, "NotFound")) return undefined;
    throw error;
  }
}

import { unlessGone } from "@kaji/core";
import { checkPolicyTypes } from "@kaji/apiserver";
import type { Discovery } from "@kaji/client";
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
      // A kind that the server no longer publishes is not checked.
      const expressionWarnings = await checkPolicyTypes(policy, resources, (apiVersion) =>
        unlessGone(discovery.openApi(apiVersion, signal)),
      );
      const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
      const wanted = { metadata: { name }, status: { observedGeneration: generation, typeChecking } };
      await client.applyStatus(ValidatingAdmissionPolicy, wanted, { fieldManager: "validatingadmissionpolicy-status", force: true });
    },
  });
}

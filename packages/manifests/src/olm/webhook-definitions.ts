import { webhookConfigurations } from "@kaji/runtime";
import type { MutatingWebhook } from "@kaji/types/admissionregistration/v1";
import { ports } from "../manifest-options.ts";
import type { Plan } from "../manifest-options.ts";
import { webhookTarget } from "../webhook-manifests.ts";

/** The webhooks of an operator as the Operator Lifecycle Manager wants them: it makes their Service, certificates and configurations by itself. */
export function webhookDefinitions(plan: Plan): readonly object[] {
  const { operator, name } = plan;
  const { mutating, validating } = webhookConfigurations(operator.webhooks, { name, target: webhookTarget(plan) });
  const reach = { deploymentName: name, containerPort: 443, targetPort: ports.webhook };
  const conversionCRDs = operator.conversions.map(({ resource }) => resource.crd().metadata.name);
  const conversion = {
    type: "ConversionWebhook",
    generateName: `convert.${name}.kaji.dev`,
    ...reach,
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    webhookPath: "/convert",
    conversionCRDs,
  };
  return [
    ...(mutating?.webhooks ?? []).map((each) => ({ type: "MutatingAdmissionWebhook", ...reach, ...definitionOf(each) })),
    ...(validating?.webhooks ?? []).map((each) => ({ type: "ValidatingAdmissionWebhook", ...reach, ...definitionOf(each) })),
    ...(conversionCRDs.length === 0 ? [] : [conversion]),
  ];
}

function definitionOf({ name, clientConfig, namespaceSelector: _, ...rest }: MutatingWebhook): object {
  return { generateName: name, ...rest, webhookPath: clientConfig.service?.path };
}

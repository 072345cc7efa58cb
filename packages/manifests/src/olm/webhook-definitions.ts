import { createHash } from "node:crypto";
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

function definitionOf({ name, clientConfig, namespaceSelector: _n, matchConditions: _m, ...rest }: MutatingWebhook): object {
  return { generateName: labelName(name), ...rest, webhookPath: clientConfig.service?.path };
}

/** How long the value of a label may be. */
const labelLength = 63;

/** A name of which the Operator Lifecycle Manager makes a label, by which it finds the webhook again. One that is too long for that ends in a hash of the whole, and is a domain as before. */
function labelName(name: string): string {
  if (name.length <= labelLength) return name;
  const end = `.${createHash("sha256").update(name).digest("hex").slice(0, 8)}.kaji.dev`;
  return name.slice(0, labelLength - end.length).replace(/[.-]+$/, "") + end;
}

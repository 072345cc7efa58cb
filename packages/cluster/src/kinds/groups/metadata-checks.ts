import { validateMetadataAgain, validateMetadataChange } from "@kaji/apiserver";
import { pathSegmentErrors } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import type { KindDetails } from "../kind-details.ts";
import { finalizerNameErrors } from "../metadata-validation.ts";

/** What is looked at once more when an object changes: what changed in its metadata, or all of it. */
type Check = "change" | "whole";

/** When a kind checks changed metadata again, though the server has already: before its own checks, and after them. */
interface Order {
  readonly before: readonly Check[];
  readonly after: readonly Check[];
}

const change: Order = { before: ["change"], after: [] };
const whole: Order = { before: ["whole"], after: [] };
const both: Order = { before: ["change", "whole"], after: [] };
const around: Order = { before: ["whole"], after: ["change"] };

/** Kinds, or groups, that differ from most, which check what changed. */
const orders: ReadonlyMap<string, Order> = new Map([
  ["admissionregistration.k8s.io", whole],
  ["apiregistration.k8s.io", both],
  ["apps/v1/controllerrevisions", both],
  ["batch/v1/jobs", whole],
  ["certificates.k8s.io", around],
  ["discovery.k8s.io", whole],
  ["flowcontrol.apiserver.k8s.io", whole],
  ["networking.k8s.io/v1/ingressclasses", both],
  ["networking.k8s.io/v1/ingresses", both],
  ["networking.k8s.io/v1/ipaddresses", around],
  ["node.k8s.io", around],
  ["policy", { before: [], after: [] }],
  ["rbac.authorization.k8s.io", around],
  ["resource.k8s.io/v1/deviceclasses", { before: ["whole", "change"], after: [] }],
  ["resource.k8s.io/v1/resourceclaims", { before: ["whole", "change"], after: [] }],
  ["resource.k8s.io/v1/resourceclaimtemplates", around],
  ["storage.k8s.io/v1/csinodes", whole],
  ["storage.k8s.io/v1/csistoragecapacities", around],
  ["storage.k8s.io/v1/storageclasses", around],
  ["storage.k8s.io/v1/volumeattachments", whole],
  ["storage.k8s.io/v1/volumeattributesclasses", both],
]);

/** Groups that let finalizers be called anything. */
const anyFinalizer = new Set(["admissionregistration.k8s.io", "apiregistration.k8s.io", "coordination.k8s.io", "node.k8s.io", "policy"]);

/**
 * A kind with the checks of metadata that it does beyond those of all kinds. `name` is its `GROUP/VERSION/PLURAL`.
 * An error is among the causes of a refusal as often as it was found.
 */
export function withMetadataChecks(name: string, details: KindDetails): KindDetails {
  const [group = ""] = name.split("/");
  const { before, after } = orders.get(name) ?? orders.get(group) ?? change;
  const { validateName = pathSegmentErrors, validateCreate, validateUpdate } = details.strategy ?? {};
  const finalizers = anyFinalizer.has(group) ? () => [] : finalizerNameErrors;
  const errorsOf = (checks: readonly Check[], object: DynamicObject, old: DynamicObject): readonly FieldError[] =>
    checks.flatMap((check) => [
      ...(check === "whole" ? validateMetadataAgain(object.metadata, validateName) : validateMetadataChange(object.metadata, old.metadata)),
      ...finalizers(object),
    ]);
  return {
    ...details,
    strategy: {
      ...details.strategy,
      validateCreate: (object) => [...finalizers(object), ...(validateCreate?.(object) ?? [])],
      validateUpdate: (object, old, warn) => [
        ...errorsOf(before, object, old),
        ...(validateUpdate?.(object, old, warn) ?? []),
        ...errorsOf(after, object, old),
      ],
    },
  };
}

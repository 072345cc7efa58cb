import { arrayAt, textAt } from "@kaji/core";
import type { OlmFinding } from "./olm-finding.ts";
import type { ReadBundle } from "./read-bundle.ts";

/** The kinds that Kubernetes had once, as `VERSION KIND`, by the version that they went with. All are older than what kaji is meant for. */
const removed: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "1.22": [
      "apiextensions.k8s.io/v1beta1 CustomResourceDefinition",
      "scheduling.k8s.io/v1beta1 PriorityClass",
      ...["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"].map((kind) => `rbac.authorization.k8s.io/v1beta1 ${kind}`),
      "apiregistration.k8s.io/v1beta1 APIService",
      "authentication.k8s.io/v1beta1 TokenReview",
      ...["", "Self", "Local"].map((prefix) => `authorization.k8s.io/v1beta1 ${prefix}SubjectAccessReview`),
      ...["Mutating", "Validating"].map((prefix) => `admissionregistration.k8s.io/v1beta1 ${prefix}WebhookConfiguration`),
      "coordination.k8s.io/v1beta1 Lease",
      "extensions/v1beta1 Ingress",
      "networking.k8s.io/v1beta1 Ingress",
      "networking.k8s.io/v1beta1 IngressClass",
      ...["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"].map((kind) => `storage.k8s.io/v1beta1 ${kind}`),
      "certificates.k8s.io/v1beta1 CertificateSigningRequest",
    ],
    "1.25": [
      "batch/v1beta1 CronJob",
      "discovery.k8s.io/v1beta1 EndpointSlice",
      "events.k8s.io/v1beta1 Event",
      "autoscaling/v2beta1 HorizontalPodAutoscaler",
      "policy/v1beta1 PodDisruptionBudget",
      "policy/v1beta1 PodSecurityPolicy",
      "node.k8s.io/v1beta1 RuntimeClass",
    ],
    "1.26": ["autoscaling/v2beta2 HorizontalPodAutoscaler"],
  }).flatMap(([version, kinds]) => kinds.map((kind) => [kind, version])),
);

/** Whatever in a bundle no cluster has any more. */
export function removedApiFindings({ version, manifests }: ReadBundle): readonly OlmFinding[] {
  const spec = version.object["spec"];
  const objects = manifests.map(({ path, object }) => ({
    place: path,
    apiVersion: textAt(object, "apiVersion"),
    kind: textAt(object, "kind"),
  }));
  const listed = ["owned", "required"].flatMap((list) =>
    arrayAt(spec, "customresourcedefinitions", list).flatMap((each, index) =>
      arrayAt(each, "resources").map((resource) => ({
        place: `${version.path}: spec.customresourcedefinitions.${list}[${index}].resources`,
        apiVersion: textAt(resource, "version"),
        kind: textAt(resource, "kind"),
      })),
    ),
  );
  const gone = [...objects, ...listed].flatMap(({ place, apiVersion, kind }): readonly OlmFinding[] => {
    const since = removed.get(`${apiVersion} ${kind}`);
    return since === undefined
      ? []
      : [{ level: "Error", place, text: `${kind} is not in ${apiVersion} any more, since Kubernetes ${since}` }];
  });
  return [...gone, ...removedPermissions(version)];
}

/** Of permissions only the resource is known, and that is gone in all its versions. */
function removedPermissions({ path, object }: ReadBundle["version"]): readonly OlmFinding[] {
  return ["permissions", "clusterPermissions"].flatMap((list) => {
    const rules = arrayAt(object, "spec", "install", "spec", list).flatMap((each) => arrayAt(each, "rules"));
    const isGone = rules.some(
      (rule) => arrayAt(rule, "apiGroups").includes("policy") && arrayAt(rule, "resources").includes("podsecuritypolicies"),
    );
    return isGone
      ? [
          {
            level: "Warning",
            place: `${path}: spec.install.spec.${list}`,
            text: "has podsecuritypolicies, which went with Kubernetes 1.25",
          },
        ]
      : [];
  });
}

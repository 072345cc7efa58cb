import { parse } from "yaml";
import type { ManifestFiles } from "../manifest-files.ts";
import { olmBundle } from "../olm/olm-bundle.ts";
import { yamlDocument } from "../yaml-stream.ts";
import { calledOperator } from "./bar-operator.ts";

/** An object of a manifest, open for whatever an author does to it by hand. */
interface Draft {
  [field: string]: Draft & Draft[] & string & number & boolean;
}

/** A bundle with which nothing is wrong. */
export const soundBundle: ManifestFiles = olmBundle(calledOperator, {
  version: "1.2.3",
  replaces: "1.2.2",
  image: "registry.example.com/bars:1.2.3",
  icon: { base64data: "PHN2Zy8+", mediatype: "image/svg+xml" },
  maintainers: [{ name: "Jane Doe", email: "jane@example.com" }],
  links: [{ name: "Documentation", url: "https://example.com" }],
});

const versionFile = "manifests/bars.clusterserviceversion.yaml";
const definitionFile = "manifests/example.com_bars.yaml";
const annotationsFile = "metadata/annotations.yaml";
const accountText = (name: string): string => yamlDocument({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name } });

/** What may be wrong with a bundle: the sound one after a change, by a name for the change. */
export const brokenBundles: ReadonlyMap<string, ManifestFiles> = new Map([
  version("a name that is none", ({ metadata }) => set(metadata, "name", "Bars.v1.2.3")),
  version("a name that is too long", ({ metadata }) => set(metadata, "name", `${"b".repeat(60)}.v1.2.3`)),
  version("a name without a version", ({ metadata }) => set(metadata, "name", "bars")),
  version("a replaced version that is none", ({ spec }) => set(spec, "replaces", "bars v1")),
  version("no annotations", ({ metadata }) => unset(metadata, "annotations")),
  version("no examples", ({ metadata }) => unset(metadata?.["annotations"], "alm-examples")),
  version("examples that are not JSON", ({ metadata }) => set(metadata?.["annotations"], "alm-examples", "[{]")),
  version("an example of what is not owned", ({ metadata }) =>
    set(metadata?.["annotations"], "alm-examples", `[{"apiVersion":"example.com/v2","kind":"Bar","metadata":{"name":"a"}}]`),
  ),
  version("examples in two places", ({ metadata }) => set(metadata?.["annotations"], "olm.examples", "[]")),
  version("examples where OLM looks no more", ({ metadata }) => {
    set(metadata?.["annotations"], "olm.examples", metadata?.["annotations"]?.["alm-examples"]);
    unset(metadata?.["annotations"], "alm-examples");
  }),
  version("examples without a character", ({ metadata }) => set(metadata?.["annotations"], "alm-examples", "")),
  version("a kind of an API server without an example", ({ spec }) =>
    set(spec, "apiservicedefinitions", {
      owned: [
        {
          name: "v1.example.com",
          group: "other.example.com",
          version: "v1",
          kind: "Other",
          deploymentName: "bars",
          displayName: "Other",
          description: "x",
        },
      ],
    }),
  ),
  version("properties in an annotation", ({ metadata }) => set(metadata?.["annotations"], "olm.properties", "[]")),
  version("a category that is none", ({ metadata }) => set(metadata?.["annotations"], "categories", "Storage, Magic")),
  version("no category", ({ metadata }) => set(metadata?.["annotations"], "categories", "")),
  version("an empty list of examples", ({ metadata }) => set(metadata?.["annotations"], "alm-examples", "[]")),
  version("an annotation in the wrong case", ({ metadata }) => set(metadata?.["annotations"], "olm.skiprange", "<1.0.0")),
  version("an empty level of capabilities", ({ metadata }) => set(metadata?.["annotations"], "capabilities", "")),
  version("a level of capabilities that is none", ({ metadata }) => set(metadata?.["annotations"], "capabilities", "Magic")),
  version("no install modes", ({ spec }) => unset(spec, "installModes")),
  version("no install mode that is supported", ({ spec }) => set(spec, "installModes", [{ type: "AllNamespaces", supported: false }])),
  version("conversion for some namespaces", ({ spec }) => set(spec?.["webhookdefinitions"]?.[0], "conversionCRDs", ["bars.example.com"])),
  version("no version of Kubernetes", ({ spec }) => unset(spec, "minKubeVersion")),
  version("a version of Kubernetes that is none", ({ spec }) => set(spec, "minKubeVersion", "v1.30")),
  version("no name for people", ({ spec }) => unset(spec, "displayName")),
  version("no provider", ({ spec }) => unset(spec, "provider")),
  version("a maintainer without an address", ({ spec }) => set(spec, "maintainers", [{ name: "Jane Doe" }])),
  version("an address that is none", ({ spec }) => set(spec, "maintainers", [{ name: "Jane Doe", email: "jane" }])),
  version("a link without a name", ({ spec }) => set(spec, "links", [{ url: "https://example.com" }])),
  version("a link that is none", ({ spec }) => set(spec, "links", [{ name: "Documentation", url: "example" }])),
  version("two icons", ({ spec }) => set(spec, "icon", [spec?.["icon"]?.[0], spec?.["icon"]?.[0]])),
  version("an icon of a strange type", ({ spec }) => set(spec, "icon", [{ base64data: "AA==", mediatype: "image/tiff" }])),
  version("an icon without data", ({ spec }) => set(spec, "icon", [{ base64data: "", mediatype: "image/png" }])),
  version("no icon", ({ spec }) => unset(spec, "icon")),
  version("an image that is none", ({ spec }) => set(spec, "relatedImages", [{ name: "manager", image: "Bars:1" }])),
  version("an image with a strange tag", ({ spec }) => set(spec, "relatedImages", [{ name: "manager", image: "bars:a b" }])),
  version("an image without a name", ({ spec }) => set(spec, "relatedImages", [{ name: "manager", image: "" }])),
  version("an owned kind that is not there", ({ spec }) => set(spec?.["customresourcedefinitions"]?.["owned"]?.[0], "version", "v2")),
  version("nothing that is owned", ({ spec }) => set(spec, "customresourcedefinitions", {})),
  version("an owned kind without a group", ({ spec }) => set(spec?.["customresourcedefinitions"]?.["owned"]?.[0], "name", "bars")),
  version("an owned kind with a resource that is gone", ({ spec }) =>
    set(spec?.["customresourcedefinitions"]?.["owned"]?.[0], "resources", [{ kind: "CronJob", name: "", version: "batch/v1beta1" }]),
  ),
  version("a required kind without description", ({ spec }) =>
    set(spec?.["customresourcedefinitions"], "required", [
      { name: "others.example.com", version: "v1", kind: "Other", displayName: "Other" },
    ]),
  ),
  version("an owned kind without description", ({ spec }) => unset(spec?.["customresourcedefinitions"]?.["owned"]?.[0], "description")),
  version("a container that requests nothing", ({ spec }) =>
    unset(spec?.["install"]?.["spec"]?.["deployments"]?.[0]?.["spec"]?.["template"]?.["spec"]?.["containers"]?.[0], "resources"),
  ),
  version("no deployments", ({ spec }) => unset(spec?.["install"]?.["spec"], "deployments")),
  version("permission to define kinds", ({ spec }) =>
    set(spec?.["install"]?.["spec"]?.["clusterPermissions"]?.[0], "rules", [
      { apiGroups: ["apiextensions.k8s.io"], resources: ["customresourcedefinitions"], verbs: ["create"] },
    ]),
  ),
  version("permission for what is gone", ({ spec }) =>
    set(spec?.["install"]?.["spec"]?.["clusterPermissions"]?.[0], "rules", [
      { apiGroups: ["policy"], resources: ["podsecuritypolicies"], verbs: ["use"] },
    ]),
  ),
  bringing("a budget that allows nothing", budget({ maxUnavailable: 0 })),
  bringing("a budget in percent", budget({ maxUnavailable: "10%" })),
  bringing("a budget that asks for all", budget({ minAvailable: "100%" })),
  bringing("a budget that is gone", { ...budget({ minAvailable: 1 }), apiVersion: "policy/v1beta1" }),
  bringing("a priority for all Pods", {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "bars" },
    value: 1,
    globalDefault: true,
  }),
  bringing("a role that writes budgets", role({ apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: ["patch"] })),
  bringing(
    "a role that writes constraints",
    role({
      apiGroups: ["security.openshift.io"],
      resources: ["securitycontextconstraints"],
      verbs: ["update"],
      resourceNames: ["privileged"],
    }),
  ),
  bringing("an autoscaler that is gone", {
    apiVersion: "autoscaling/v2beta2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "bars" },
    spec: {},
  }),
  changed("a definition twice", (files) => files.set("manifests/again.yaml", files.get(definitionFile) ?? "")),
  changed("no definition", (files) => files.delete(definitionFile)),
  changed("the service account of the operator", (files) => files.set("manifests/account.yaml", accountText("bars"))),
  changed("another service account", (files) => files.set("manifests/account.yaml", accountText("other"))),
  changed("no version at all", (files) => files.delete(versionFile)),
  changed("an unusual channel", (files) =>
    files.set(annotationsFile, (files.get(annotationsFile) ?? "").replace("channels.v1: stable", "channels.v1: weekly")),
  ),
]);

function version(name: string, change: (draft: Draft) => void): readonly [string, ManifestFiles] {
  return changed(name, (files) => {
    const draft = parse(files.get(versionFile) ?? "") as Draft;
    change(draft);
    files.set(versionFile, yamlDocument(draft));
  });
}

function bringing(name: string, object: object): readonly [string, ManifestFiles] {
  return changed(name, (files) => files.set("manifests/more.yaml", yamlDocument(object)));
}

function budget(spec: object): object {
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "bars" }, spec: { selector: {}, ...spec } };
}

function role(rule: object): object {
  return { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "more" }, rules: [rule] };
}

function changed(name: string, change: (files: Map<string, string>) => void): readonly [string, ManifestFiles] {
  const files = new Map(soundBundle);
  change(files);
  return [name, files];
}

function set(object: object | undefined, field: string, value: unknown): void {
  Object.assign(object ?? {}, { [field]: value });
}

function unset(object: object | undefined, field: string): void {
  if (object !== undefined) Reflect.deleteProperty(object, field);
}

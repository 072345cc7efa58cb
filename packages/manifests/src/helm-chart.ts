import type { KubeObject } from "@kaji/core";
import type { OperatorDefinition } from "@kaji/runtime";
import type { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { Deployment } from "@kaji/types/apps/v1";
import { disruptionBudget, managerDeployment } from "./manager-deployment.ts";
import { environmentSchema } from "./manager-environment.ts";
import { barePod } from "./manager-pod.ts";
import type { ManifestFiles } from "./manifest-files.ts";
import { planOf } from "./manifest-options.ts";
import type { ManifestOptions, Plan } from "./manifest-options.ts";
import { operatorManifests } from "./operator-manifests.ts";
import { podSchema } from "./pod-schema.ts";
import { yamlDocument, yamlStream } from "./yaml-stream.ts";

/** What a chart says of itself. */
export interface ChartOptions extends ManifestOptions {
  /** The version of chart and operator. Default `0.1.0`. */
  readonly version?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * The operator as a Helm chart. Resource definitions are in `crds/`, which Helm installs first and never changes or deletes, so that the chart's notes say how to;
 * those that name the operator's Service, which converts their versions, are templates that Helm keeps. The release's namespace takes the place of the operator's own; image, replicas, env, resources, and what else
 * Pods and ServiceAccount have, are values, checked by a schema.
 */
export function helmChart(operator: OperatorDefinition, options: ChartOptions = {}): ManifestFiles {
  const { version = "0.1.0", description = `Runs the operator ${operator.name}.`, ...manifestOptions } = options;
  const plan = planOf(operator, { ...manifestOptions, namespace: expression(releaseNamespace) });
  const manifests = operatorManifests(operator, { ...manifestOptions, namespace: plan.namespace });
  const rbac = manifests.rbac.map((object) =>
    object.kind === "ServiceAccount" && object.metadata.name === plan.name ? withAnnotationValues(object) : object,
  );
  const deployment = withValues(managerDeployment({ ...plan, env: [], pod: barePod }));
  const templates = [...rbac, ...manifests.network, ...manifests.others, deployment, ...manifests.webhooks];
  // Whether there are several copies is known when the chart is rendered.
  const budget = `{{- if gt (int .Values.replicas) 1 }}\n---\n${templateOf(disruptionBudget({ ...plan, replicas: 2 }))}{{- end }}\n`;
  const chart = { apiVersion: "v2", name: operator.name, description, type: "application", version, appVersion: version };
  const definitions = manifests.crds.map(definitionFile);
  return new Map([
    ["Chart.yaml", yamlDocument(chart)],
    ["values.yaml", yamlDocument(valuesOf(plan))],
    ["values.schema.json", `${JSON.stringify(valuesSchema(), undefined, 2)}\n`],
    ...definitions,
    ["templates/operator.yaml", `${templateOf(templates)}${budget}`],
    ...(definitions.some(([path]) => path.startsWith(installedOnce)) ? [["templates/NOTES.txt", upgradeNotes] as const] : []),
  ]);
}

const releaseNamespace = ".Release.Namespace";

/** What is in this folder Helm installs with the first release, and leaves alone after that. */
const installedOnce = "crds/";

/** What Helm says after an upgrade. Which chart that was is known to nobody but the user. */
const upgradeNotes = `{{- if .Release.IsUpgrade -}}
Helm does not upgrade what a chart has in crds/. If the resource definitions have changed, bring them to this chart, CHART, as well:

  helm show crds CHART | kubectl apply --server-side --force-conflicts -f -
{{- end -}}
`;

/** Helm renders nothing in `crds/`: a definition that is another in each namespace is a template. */
function definitionFile(crd: CustomResourceDefinition): readonly [path: string, text: string] {
  const { metadata, spec } = crd;
  if (spec.conversion?.webhook === undefined) return [`${installedOnce}${metadata.name}.yaml`, yamlDocument(crd)];
  const annotations = { ...metadata.annotations, "helm.sh/resource-policy": "keep" };
  return [`templates/${metadata.name}.yaml`, templateOf([{ ...crd, metadata: { ...metadata, annotations } }])];
}

/** Objects as a template: what looks like one of Helm's expressions, and is none, stays as it is. */
function templateOf(objects: readonly object[]): string {
  return withExpressions(yamlStream(objects).replaceAll("{{", '{{ "{{" }}'));
}

/** Stands for one of Helm's expressions until the objects are text. */
function expression(text: string): string {
  return `⟦${text}⟧`;
}

/** Stands for the items of a list among other items; as a name, for the entries of a map among others. */
function more(text: string): string {
  return `⟦…${text}⟧`;
}

/** Stands for the items of a list after those that are always there. */
function listOf(own: readonly object[] = [], list: string, indent: number): string | readonly unknown[] {
  return own.length === 0 ? expression(`toYaml ${list} | nindent ${indent}`) : [...own, more(list)];
}

/**
 * Puts Helm's expressions where they stand. One that is part of a string stays within its quotes; one that is all of a value has none, so that it may be a number or
 * an object. A namespace is always a string, even if it is called `123`.
 */
function withExpressions(text: string): string {
  return text
    .replaceAll(
      /^( *)(?:- )?"?⟦…([^⟧]*)⟧"?(?:: null)?$/gm,
      (_, indent: string, list: string) => `{{- with ${list} }}{{ toYaml . | nindent ${indent.length} }}{{- end }}`,
    )
    .replaceAll(/(: |- )"?⟦([^⟧]*)⟧"?$/gm, (_, before: string, value: string) => {
      return `${before}{{ ${value}${value === releaseNamespace ? " | quote" : ""} }}`;
    })
    .replaceAll(/⟦([^⟧]*)⟧/g, "{{ $1 }}");
}

function withAnnotationValues(account: KubeObject): object {
  const annotations = expression("toYaml .Values.serviceAccount.annotations | nindent 4");
  return { ...account, metadata: { ...account.metadata, annotations } };
}

function withValues(deployment: Deployment): KubeObject {
  const { spec } = deployment;
  const containers = spec?.template.spec?.containers.map((container) => ({
    ...container,
    image: `${expression(".Values.image.repository")}:${expression(".Values.image.tag")}`,
    imagePullPolicy: expression(".Values.image.pullPolicy"),
    env: [...(container.env ?? []), more(".Values.env")],
    resources: expression("toYaml .Values.resources | nindent 12"),
    volumeMounts: listOf(container.volumeMounts, ".Values.pod.volumeMounts", 12),
  }));
  const { volumes, containers: _, ...podSpec } = spec?.template.spec ?? {};
  const elsewhere = Object.keys(barePod).map((name) => JSON.stringify(name));
  const template = {
    metadata: {
      labels: { ...spec?.template.metadata?.labels, [more(".Values.pod.labels")]: null },
      annotations: expression("toYaml .Values.pod.annotations | nindent 8"),
    },
    spec: {
      ...podSpec,
      [more(`omit .Values.pod ${elsewhere.join(" ")}`)]: null,
      containers,
      volumes: listOf(volumes, ".Values.pod.volumes", 8),
    },
  };
  const scaled = { ...spec, replicas: expression(".Values.replicas"), template };
  return { ...deployment, ...{ spec: scaled } };
}

function valuesOf(plan: Plan): object {
  const { image, replicas, env, resources, pod, serviceAccount } = plan;
  const colon = image.lastIndexOf(":");
  const hasTag = colon > image.lastIndexOf("/");
  const [repository, tag] = hasTag ? [image.slice(0, colon), image.slice(colon + 1)] : [image, "latest"];
  return { image: { repository, tag, pullPolicy: "IfNotPresent" }, replicas, env, resources, pod, serviceAccount };
}

const text = { type: "string", minLength: 1 };

function valuesSchema(): object {
  const { schema: pod, definitions } = podSchema();
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    required: ["image", "replicas", "pod", "serviceAccount"],
    // What is misspelt would have no effect, and nobody would say so.
    additionalProperties: false,
    properties: {
      // A chart that another one depends on is handed these two: the second is what its condition is called.
      global: { type: "object" },
      enabled: { type: "boolean" },
      image: {
        type: "object",
        required: ["repository", "tag"],
        additionalProperties: false,
        properties: { repository: text, tag: text, pullPolicy: { enum: ["Always", "IfNotPresent", "Never"] } },
      },
      replicas: { type: "integer", minimum: 0 },
      env: environmentSchema,
      resources: { type: "object" },
      pod,
      serviceAccount: {
        type: "object",
        additionalProperties: false,
        properties: { annotations: { type: "object", additionalProperties: { type: "string" } } },
      },
    },
    definitions,
  };
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { convert, defineOperator } from "@kaji/runtime";
import { parse, parseAllDocuments } from "yaml";
import { helmChart } from "./helm-chart.ts";
import { kustomizeTree, plainManifest, withSamples } from "./manifest-files.ts";
import type { ManifestFiles } from "./manifest-files.ts";
import { operatorManifests } from "./operator-manifests.ts";
import { barOperator, calledOperator } from "./testing/bar-operator.ts";

const manifests = operatorManifests(calledOperator);

const env = [
  { name: "REGISTRAR_URL", value: "https://registrar.example.com" },
  { name: "REGISTRAR_TOKEN", valueFrom: { secretKeyRef: { name: "registrar", key: "token" } } },
];

function textOf(files: ManifestFiles, path: string): string {
  return files.get(path) ?? assert.fail(`there is no ${path}`);
}

test("the plain manifest defines before it uses, and has no samples", () => {
  const kinds = parseAllDocuments(plainManifest(manifests)).map((document) => String(document.get("kind")));
  assert.deepEqual(kinds.slice(0, 3), ["CustomResourceDefinition", "Namespace", "ServiceAccount"]);
  assert.deepEqual(kinds.slice(-2), ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]);
  assert.equal(kinds.includes("Bar"), false);
});

test("each rule of the operator's roles says why it is there", () => {
  const text = plainManifest(manifests);
  assert.match(text, /^ {2}# bar owns it\n {2}- apiGroups:\n {6}- apps\n {4}resources:\n {6}- deployments\n/m);
  assert.match(text, /^ {2}# bar looks after it\n {2}- apiGroups:\n {6}- example\.com\n/m);
  assert.match(text, /^ {2}# one of the replicas leads\n/m);
});

test("a kustomize tree names every file of its base, and no other", () => {
  const files = kustomizeTree(manifests);
  const { resources } = parse(textOf(files, "base/kustomization.yaml")) as { readonly resources: readonly string[] };
  const inBase = [...files.keys()].filter((path) => path.startsWith("base/") && path !== "base/kustomization.yaml");
  assert.deepEqual(
    resources.map((name) => `base/${name}`),
    inBase,
  );
  assert.equal(files.has("base/webhooks.yaml"), true);
  assert.equal(kustomizeTree(operatorManifests(barOperator)).has("base/webhooks.yaml"), false);
});

test("samples of one kind in two groups are two files", () => {
  const sample = (group: string) => ({ apiVersion: `${group}/v1`, kind: "Bar", metadata: { name: "a" } });
  const files = withSamples(new Map(), { ...manifests, samples: [sample("a.example.com"), sample("b.example.com")] });
  assert.deepEqual([...files.keys()], ["samples/bar.a.example.com.yaml", "samples/bar.b.example.com.yaml"]);
});

test("a chart has values for image, replicas, env and resources, and takes the namespace of its release", () => {
  const files = helmChart(calledOperator, { image: "registry:5000/bars:1.2.3", version: "1.2.3", env });
  assert.deepEqual(
    [...files.keys()],
    ["Chart.yaml", "values.yaml", "values.schema.json", "crds/bars.example.com.yaml", "templates/operator.yaml", "templates/NOTES.txt"],
  );
  const values = parse(textOf(files, "values.yaml")) as Record<string, unknown>;
  assert.deepEqual(
    [values["image"], values["replicas"], values["env"]],
    [{ repository: "registry:5000/bars", tag: "1.2.3", pullPolicy: "IfNotPresent" }, 1, env],
  );
  const template = textOf(files, "templates/operator.yaml");
  assert.match(template, /^ {2}namespace: \{\{ \.Release\.Namespace \| quote \}\}$/m);
  assert.match(template, /^ +- \{\{ \.Release\.Namespace \| quote \}\}$/m);
  assert.match(template, /^ {2}replicas: \{\{ \.Values\.replicas \}\}$/m);
  assert.match(template, /^ +image: "?\{\{ \.Values\.image\.repository \}\}:\{\{ \.Values\.image\.tag \}\}"?$/m);
  assert.match(template, /^ {10}resources: \{\{ toYaml \.Values\.resources \| nindent 12 \}\}$/m);
  assert.match(
    template,
    /^ {12}- name: POD_NAMESPACE\n.*\n.*\n.*\n\{\{- with \.Values\.env \}\}\{\{ toYaml \. \| nindent 12 \}\}\{\{- end \}\}$/m,
  );
  assert.doesNotMatch(template, /[⟦⟧]|REGISTRAR|bars-system|kind: Namespace$/m);
});

test("a chart has all that may be said of its Pods as values, with a schema that is the one of Kubernetes", () => {
  const nodeSelector = { "kubernetes.io/arch": "arm64" };
  const files = helmChart(calledOperator, {
    certificates: "cert-manager",
    pod: { nodeSelector },
    serviceAccount: { annotations: { a: "b" } },
  });
  const values = parse(textOf(files, "values.yaml"));
  assert.deepEqual(
    [values.pod.nodeSelector, values.pod.terminationGracePeriodSeconds, values.serviceAccount.annotations.a],
    [nodeSelector, 40, "b"],
  );
  const template = textOf(files, "templates/operator.yaml");
  assert.match(
    template,
    /^ {8}- name: certificates\n.*\n.*\n\{\{- with \.Values\.pod\.volumes \}\}\{\{ toYaml \. \| nindent 8 \}\}\{\{- end \}\}$/m,
  );
  assert.match(
    template,
    /^\{\{- with omit \.Values\.pod "labels" "annotations" "volumes" "volumeMounts" \}\}\{\{ toYaml \. \| nindent 6 \}\}/m,
  );
  assert.doesNotMatch(template, /arm64|[⟦⟧]/);
  const { properties, definitions, additionalProperties } = JSON.parse(textOf(files, "values.schema.json"));
  assert.equal(additionalProperties, false, "a value that is misspelt is refused");
  assert.ok("global" in properties, "what Helm hands to a chart that another depends on is not");
  assert.deepEqual(properties.pod.properties.tolerations, {
    type: "array",
    items: { $ref: "#/definitions/io.k8s.api.core.v1.Toleration" },
  });
  assert.equal(definitions["io.k8s.api.core.v1.Toleration"].additionalProperties, false);
});

test("a chart has definitions that name the operator's Service as templates, since Helm renders nothing else", () => {
  const Lamp = defineResource({
    group: "example.com",
    version: "v2",
    kind: "Lamp",
    spec: z.object({ colour: z.string().describe("Such as {{ red }}.") }),
    versions: { v1: { spec: z.object({ colour: z.string() }) } },
  });
  const conversions = [convert(Lamp, { v1: ({ same }) => [same("spec.colour")] })];
  const files = helmChart(defineOperator({ ...calledOperator, conversions }));
  assert.deepEqual(
    [...files.keys()].filter((path) => path.includes("example.com")),
    ["crds/bars.example.com.yaml", "templates/lamps.example.com.yaml"],
  );
  const template = textOf(files, "templates/lamps.example.com.yaml");
  assert.match(template, /^ {10}namespace: \{\{ \.Release\.Namespace \| quote \}\}$/m);
  assert.match(template, /^ {4}helm\.sh\/resource-policy: keep$/m);
  assert.match(template, /description: "?Such as \{\{ "\{\{" \}\} red \}\}\./);
  for (const [path, text] of files) assert.doesNotMatch(text, /[⟦⟧]/, path);
});

test("the notes of a chart say how definitions are upgraded, which Helm does not do", () => {
  const notes = textOf(helmChart(barOperator), "templates/NOTES.txt");
  assert.match(notes, /^\{\{- if \.Release\.IsUpgrade -\}\}\n/);
  assert.match(notes, /^ {2}helm show crds CHART \| kubectl apply --server-side --force-conflicts -f -$/m);
});

test("what an operator comes with is a part of its chart, in the namespace of the release", () => {
  const operator = defineOperator({
    ...barOperator,
    manifests: ({ namespace }) => [
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "bars-defaults", namespace }, data: { host: `bars.${namespace}.svc` } },
    ],
  });
  const template = textOf(helmChart(operator), "templates/operator.yaml");
  assert.match(template, /^ {2}name: bars-defaults\n {2}namespace: \{\{ \.Release\.Namespace \| quote \}\}$/m);
  assert.match(template, /^ {2}host: "?bars\.\{\{ \.Release\.Namespace \}\}\.svc"?$/m);
  assert.match(textOf(kustomizeTree(operatorManifests(operator)), "base/others.yaml"), /^ {2}namespace: bars-system$/m);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { barOperator, calledOperator } from "../testing/bar-operator.ts";
import { brokenBundles, soundBundle } from "../testing/broken-bundle.ts";
import { olmBundle } from "./olm-bundle.ts";
import { validateBundle } from "./validate-bundle.ts";

test("what an operator's declarations give has no errors, and but for the icon nothing is missed", () => {
  assert.deepEqual(validateBundle(soundBundle), []);
  for (const operator of [barOperator, calledOperator]) {
    assert.deepEqual(
      validateBundle(olmBundle(operator, { version: "0.1.0" })).map(({ level, place }) => [level, place]),
      [["Warning", "manifests/bars.clusterserviceversion.yaml: spec.icon"]],
    );
  }
});

/** Changes that no validator has anything against. */
const harmless = new Set(["another service account", "examples where OLM looks no more"]);

test("whatever is wrong is said with its file and field", () => {
  const sayings: Readonly<Record<string, string>> = {
    "a name that is too long": "manifests/bars.clusterserviceversion.yaml: metadata.name",
    "an example of what is not owned": "manifests/bars.clusterserviceversion.yaml: metadata.annotations.alm-examples",
    "an image that is none": "manifests/bars.clusterserviceversion.yaml: spec.relatedImages[0].image",
    "no definition": "manifests/bars.clusterserviceversion.yaml: spec.customresourcedefinitions.owned",
    "the service account of the operator": "manifests/account.yaml",
    "a category that is none": "manifests/bars.clusterserviceversion.yaml: metadata.annotations.categories",
    "a budget that allows nothing": "manifests/more.yaml: spec.maxUnavailable",
    "a priority for all Pods": "manifests/more.yaml: globalDefault",
    "a role that writes constraints": "manifests/more.yaml: rules[0]",
    "an autoscaler that is gone": "manifests/more.yaml",
    "an owned kind with a resource that is gone":
      "manifests/bars.clusterserviceversion.yaml: spec.customresourcedefinitions.owned[0].resources",
  };
  for (const [name, place] of Object.entries(sayings)) {
    const findings = validateBundle(brokenBundles.get(name) ?? assert.fail(name));
    assert.ok(
      findings.some((finding) => finding.level === "Error" && finding.place === place),
      `${name}: ${JSON.stringify(findings)}`,
    );
  }
  for (const [name, files] of brokenBundles) {
    if (!harmless.has(name)) assert.notDeepEqual(validateBundle(files), [], name);
  }
});

test("what is no YAML, or no object, is a finding and no crash", () => {
  for (const text of ["a: [", "", "null", "- 1", "kind: ClusterServiceVersion", "kind: ClusterServiceVersion\nspec: 1\nmetadata: []"]) {
    const files = new Map([...soundBundle, ["manifests/bars.clusterserviceversion.yaml", text]]);
    assert.ok(
      validateBundle(files).some(({ level }) => level === "Error"),
      text,
    );
  }
});

test("a bundle that does not fit into a ConfigMap is refused", () => {
  // Digits of a generator without a pattern: what can be compressed away does not count.
  let state = 1;
  const noise = Array.from({ length: 1_600_000 }, () => ((state = (state * 48_271) % 2_147_483_647) % 36).toString(36)).join("");
  const findings = validateBundle(new Map([...soundBundle, ["manifests/notes.yaml", noise]]));
  assert.match(findings.find(({ place }) => place === "bundle")?.text ?? "", /^has \d{7} bytes when compressed, of 1048576 at most$/);
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ran } from "../testing/run-program.ts";
import { scriptedPrompt } from "../testing/scripted-prompt.ts";
import { emptyProject } from "../testing/test-project.ts";

/** A definition of another operator. */
const certificates = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: certificates.certificates.example.com }
spec:
  group: certificates.example.com
  scope: Namespaced
  names: { kind: Certificate, plural: certificates }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { host: { type: string } } } } } }
`;

/** All files of a folder with their texts. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const places = readdirSync(folder).filter((name) => name !== "node_modules");
  const paths = places.flatMap((place) => (place === "src" ? readdirSync(join(folder, place)).map((name) => join(place, name)) : [place]));
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Runs a program of a project, and returns what it wrote. */
async function runIn(folder: string, ...parameters: readonly string[]): Promise<string> {
  const environment = { ...process.env };
  // Otherwise the tests of the project would report to the runner of this one.
  delete environment["NODE_TEST_CONTEXT"];
  const all = ["--conditions=@kaji/source", ...parameters];
  return new Promise(
    (resolve) => void execFile(process.execPath, all, { cwd: folder, env: environment }, (_error, stdout) => resolve(stdout)),
  );
}

test("a new project with everything added to it passes its tests", async () => {
  using project = emptyProject();
  const { folder } = project;
  const more = ["--project", folder, "--yes"];
  using elsewhere = emptyProject();
  elsewhere.write("crds.yaml", certificates);
  for (const parameters of [
    ["init", "web-site-operator", "--group", "shop.example.com", "--folder", folder, "--yes"],
    ["create", "api", "--kind", "Region", "--group", "shop.example.com", "--scope", "Cluster", ...more],
    ["create", "api", "--kind", "Region", "--group", "stock.example.com", "--version", "v1", ...more],
    ["create", "api", "--kind", "Deployment", "--group", "apps", "--version", "v1", ...more],
    ["types", join(elsewhere.folder, "crds.yaml"), "--out", join(folder, "src")],
    ["create", "api", "--kind", "Certificate", "--group", "certificates.example.com", "--version", "v1", ...more],
    ["create", "webhook", "--kind", "Certificate", "--group", "certificates.example.com", ...more],
    ["create", "webhook", "--kind", "WebSite", ...more],
    ["create", "webhook", "--kind", "Region", "--group", "stock.example.com", "--validation", ...more],
    ["create", "webhook", "--kind", "Pod", "--group", "", "--defaulting", ...more],
  ]) {
    assert.deepEqual({ ...(await ran(parameters)), out: "" }, { code: 0, out: "", err: "" }, parameters.join(" "));
  }
  assert.match(
    readFileSync(join(folder, "src/operator.ts"), "utf8"),
    / {2}controllers: \[webSiteController, regionController, stockRegionController, deploymentController, certificateController\],\n {2}webhooks: \[certificateWebhook, webSiteWebhook, stockRegionWebhook, podWebhook\],\n/,
  );
  assert.match(await runIn(folder, "--test", "--test-isolation=none", "src/**/*.test.ts"), /\n. pass 13\n. fail 0\n/);
});

test("a kind that only others use is added without a controller, once, and a server takes its sample", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "sites", "--kind", "WebSite", "--group", "shop.example.com", "--folder", folder, "--yes"]);
  const api = (kind: string, group: string, ...more: readonly string[]): readonly string[] => {
    return ["create", "api", "--kind", kind, "--group", group, "--no-controller", "--project", folder, "--yes", ...more];
  };
  const added = api("WebSiteClass", "shop.example.com", "--scope", "Cluster");
  const created = "created  src/web-site-class.ts\ncreated  src/web-site-class.test.ts\nchanged  src/operator.ts\n";
  assert.deepEqual(await ran(added), { code: 0, out: created, err: "" });
  const operator = readFileSync(join(folder, "src/operator.ts"), "utf8");
  assert.match(operator, /^import \{ WebSiteClass \} from "\.\/web-site-class\.ts";$/m);
  assert.match(operator, /^ {2}resources: \[WebSiteClass\],$/m);
  const kept = "kept     src/web-site-class.ts: it exists\nkept     src/web-site-class.test.ts: it exists\n";
  assert.deepEqual(await ran(added), { code: 0, out: kept, err: "" });
  assert.equal((await ran(api("Policy", "shop.example.com"))).code, 0);
  const files = ["src/web-site-class.test.ts", "src/policy.test.ts"];
  assert.match(await runIn(folder, "--test", "--test-isolation=none", ...files), /\n. pass 2\n. fail 0\n/);
  const { out: manifests } = await ran(["manifests", "--project", folder, "--image", "sites:1"]);
  assert.match(manifests, /name: websiteclasses\.shop\.example\.com/);
  assert.deepEqual(await ran(api("Deployment", "apps", "--version", "v1")), {
    code: 1,
    out: "",
    err: "kaji: Deployment of apps is defined elsewhere, so that without a controller there is nothing to add\n",
  });
});

test("a kind that the project has defined gets a controller of that definition, wherever it is and whatever its fields are", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "sites", "--kind", "WebSite", "--group", "shop.example.com", "--folder", folder, "--yes"]);
  const more = ["--group", "shop.example.com", "--project", folder, "--yes"];
  await ran(["create", "api", "--kind", "Policy", "--no-controller", ...more]);
  project.write("src/kinds/crate.ts", readFileSync(join(folder, "src/policy.ts"), "utf8").replaceAll("Policy", "Crate"));
  for (const file of ["policy", "crate"]) {
    const kind = file === "policy" ? "Policy" : "Crate";
    const created = `created  src/${file}-controller.ts\nchanged  src/operator.ts\n`;
    assert.deepEqual(await ran(["create", "api", "--kind", kind, ...more]), { code: 0, out: created, err: "" });
  }
  assert.match(readFileSync(join(folder, "src/crate-controller.ts"), "utf8"), /^import \{ Crate \} from "\.\/kinds\/crate\.ts";$/m);
  assert.doesNotMatch(readFileSync(join(folder, "src/policy-controller.ts"), "utf8"), /setStatus|writesStatus/);
  const { out, err } = await ran(["manifests", "--project", folder, "--image", "sites:1"]);
  assert.equal(err, "");
  for (const plural of ["policies", "crates"]) assert.equal(out.split(`name: ${plural}.shop.example.com`).length, 2);
});

test("a kind of a group of Kubernetes' own that kaji types has written gets a controller", async () => {
  using project = emptyProject();
  const { folder } = project;
  using elsewhere = emptyProject();
  elsewhere.write("crds.yaml", certificates.replaceAll("certificates.example.com", "pki.networking.k8s.io"));
  assert.equal((await ran(["init", "bars", "--folder", folder, "--kind", "Bar", "--group", "bars.example.com", "--yes"])).code, 0);
  assert.equal((await ran(["types", join(elsewhere.folder, "crds.yaml"), "--out", join(folder, "src")])).code, 0);
  const api = [
    "create",
    "api",
    "--kind",
    "Certificate",
    "--group",
    "pki.networking.k8s.io",
    "--version",
    "v1",
    "--project",
    folder,
    "--yes",
  ];
  assert.deepEqual(await ran(api), { code: 0, out: "created  src/certificate-controller.ts\nchanged  src/operator.ts\n", err: "" });
});

test("a kind that kaji types has written gets a controller by its name alone, in the group and version that it has", async () => {
  using project = emptyProject();
  const { folder } = project;
  using elsewhere = emptyProject();
  elsewhere.write("crds.yaml", certificates);
  await ran(["init", "bars", "--folder", folder, "--kind", "Bar", "--group", "bars.example.com", "--yes"]);
  await ran(["types", join(elsewhere.folder, "crds.yaml"), "--out", join(folder, "src")]);
  const api = ["create", "api", "--kind", "Certificate", "--project", folder, "--yes"];
  assert.deepEqual(await ran(api), { code: 0, out: "created  src/certificate-controller.ts\nchanged  src/operator.ts\n", err: "" });
});

test("so it does where kaji types has written it to a folder inside of src", async () => {
  using project = emptyProject();
  const { folder } = project;
  using elsewhere = emptyProject();
  elsewhere.write("crds.yaml", certificates);
  await ran(["init", "bars", "--folder", folder, "--kind", "Bar", "--group", "bars.example.com", "--yes"]);
  await ran(["types", join(elsewhere.folder, "crds.yaml"), "--out", join(folder, "src", "certificates", "v1")]);
  const more = ["--kind", "Certificate", "--project", folder, "--yes"];
  assert.deepEqual(await ran(["create", "api", ...more]), {
    code: 0,
    out: "created  src/certificate-controller.ts\nchanged  src/operator.ts\n",
    err: "",
  });
  assert.equal((await ran(["create", "webhook", ...more])).code, 0);
  for (const file of ["certificate-controller.ts", "certificate-webhook.ts"])
    assert.match(readFileSync(join(folder, "src", file), "utf8"), /from "\.\/certificates\/v1\/certificate\.ts"/);
});

test("a new webhook of a kind of Kubernetes leaves the namespace of the cluster itself alone", async () => {
  using project = emptyProject();
  const { folder } = project;
  const more = ["--project", folder, "--yes"];
  await ran(["init", "guard", "--kind", "WebSite", "--group", "shop.example.com", "--folder", folder, "--yes"]);
  await ran(["create", "webhook", "--kind", "Pod", "--group", "", "--defaulting", ...more]);
  await ran(["create", "webhook", "--kind", "WebSite", ...more]);
  const sparing = /operator: "NotIn", values: \["kube-system"\]/;
  assert.match(readFileSync(join(folder, "src/pod-webhook.ts"), "utf8"), sparing);
  assert.doesNotMatch(readFileSync(join(folder, "src/web-site-webhook.ts"), "utf8"), sparing);
});

test("a new project for a kind of Kubernetes has no resource of its own, and passes its test", async () => {
  using project = emptyProject();
  const { folder } = project;
  const kind = ["--kind", "Deployment", "--group", "apps", "--version", "v1"];
  assert.equal((await ran(["init", "reloader", ...kind, "--folder", folder, "--yes"])).code, 0);
  assert.deepEqual(readdirSync(join(folder, "src")).toSorted(), [
    "deployment-controller.ts",
    "deployment.test.ts",
    "main.ts",
    "operator.ts",
  ]);
  assert.match(await runIn(folder, "--test", "--test-isolation=none", "src/**/*.test.ts"), /\n. pass 1\n. fail 0\n/);
  const { code, err } = await ran(["init", "a", "--kind", "Nothing", "--group", "apps", "--folder", join(folder, "a"), "--yes"]);
  assert.equal(code, 1);
  assert.match(err, /Kubernetes has no Nothing in apps\/v1alpha1; a kind of your own needs a domain of yours as its group/);
});

test("a new project brings the Node of its image along, for scripts and npx on a machine with an older one", async () => {
  using project = emptyProject();
  await ran(["init", "bars", "--folder", project.folder, "--yes"]);
  const { devDependencies, allowScripts, engines } = JSON.parse(readFileSync(join(project.folder, "package.json"), "utf8"));
  const [, major] = /nodejs(\d+)-/.exec(readFileSync(join(project.folder, "Dockerfile"), "utf8")) ?? [];
  assert.deepEqual([devDependencies.node, allowScripts.node, engines.node], [`^${major}.0.0`, true, `>=${major}`]);
});

test("what is there is kept: running everything again changes nothing, and half a project is completed", async () => {
  using project = emptyProject();
  const { folder } = project;
  const parameters = ["init", "bars", "--folder", folder, "--yes"];
  const more = ["--project", folder, "--yes"];
  await ran(parameters);
  await ran(["create", "webhook", "--kind", "Bars", ...more]);
  writeFileSync(join(folder, "src/bars.ts"), `${readFileSync(join(folder, "src/bars.ts"), "utf8")}// mine\n`);
  const before = contentOf(folder);
  const again = await ran(parameters);
  assert.equal(again.code, 0);
  assert.match(again.out, /^kept {5}src\/bars\.ts: it exists$/m);
  await ran(["create", "api", "--kind", "Bars", "--group", "bars.example.com", ...more]);
  await ran(["create", "webhook", "--kind", "Bars", ...more]);
  const unnamed = await ran(["init", "others", "--folder", folder, "--yes"]);
  assert.equal(
    unnamed.err,
    `kaji: ${folder} is an operator already; kaji create api adds a resource to it, and kaji init --kind KIND makes what is missing of it\n`,
  );
  assert.deepEqual(contentOf(folder), before);
});

test("what is not said is asked, on a terminal", async () => {
  using project = emptyProject();
  const prompt = scriptedPrompt({
    "What is the operator": "web-sites",
    "Of which kind": "",
    "In which group": "shop.example.com",
    "In which version": "",
    "In namespaces": "Cluster",
  });
  const { code, err } = await ran(["init", "--folder", project.folder], prompt);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(readFileSync(join(project.folder, "src/web-sites.ts"), "utf8"), /kind: "WebSites",\n {2}scope: "Cluster",/);
  assert.equal(prompt.asked.length, 5);
});

test("a question that is not answered leaves nothing behind", async () => {
  using project = emptyProject();
  const { code, err } = await ran(["init", "bars", "--folder", project.folder], scriptedPrompt({ "Of which kind": "Bar" }));
  assert.deepEqual([code, err], [1, "kaji: cancelled; nothing was changed\n"]);
  assert.equal(existsSync(join(project.folder, "package.json")), false);
});

test("a folder with something else in it is left alone", async () => {
  using project = emptyProject();
  project.write("notes.txt", "mine");
  const parameters = ["init", "bars", "--folder", project.folder, "--yes"];
  assert.match((await ran(parameters)).err, /is not empty: there is notes\.txt; choose another name, or a --folder\n$/);
  project.write("package.json", "{}");
  assert.match((await ran(parameters)).err, /has a project that is not an operator of kaji; choose another name, or a --folder\n$/);
  assert.equal(existsSync(join(project.folder, "src")), false);
});

test("what cannot be a name is said in one line, with exit code 2", async () => {
  using project = emptyProject();
  const folder = ["--folder", project.folder, "--yes"];
  const lines: readonly (readonly [readonly string[], string])[] = [
    [["init", "--yes"], "NAME is needed: what is the operator called?"],
    [
      ["init", "My_Operator", ...folder],
      "NAME: 'My_Operator' is not a name for an operator: at most 52 lower case letters, digits and dashes, such as web-sites",
    ],
    [
      ["init", "a", "--kind", `K${"k".repeat(59)}`, ...folder],
      `--kind: 'K${"k".repeat(59)}' is not a kind: at most 59 letters and digits, the first a capital, such as WebSite`,
    ],
    [
      ["init", "a", "--kind", "lower", ...folder],
      "--kind: 'lower' is not a kind: at most 59 letters and digits, the first a capital, such as WebSite",
    ],
    [
      ["init", "a", "--group", "Shop.example.com", ...folder],
      "--group: 'Shop.example.com' is not a group: a domain of yours in lower case, such as shop.example.com",
    ],
    [["init", "a", "--version", "1", ...folder], "--version: '1' is not a version such as v1alpha1, v1beta1 or v1"],
    [["init", "a", "--scope", "World", ...folder], "--scope must be Namespaced or Cluster, not 'World'"],
    [["init", "a", "b"], "unexpected argument 'b'; kaji init --help lists the options"],
    [["create"], "'create' needs another word; there is create api and create webhook"],
    [["create", "thing"], "unknown command 'create thing'; there is create api and create webhook"],
  ];
  for (const [parameters, line] of lines) assert.deepEqual(await ran(parameters), { code: 2, out: "", err: `kaji: ${line}\n` });
});

test("what cannot be added is said with what to do, and nothing is changed", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "bars", "--folder", folder, "--yes"]);
  const before = contentOf(folder);
  const more = ["--project", folder, "--yes"];
  const lines: readonly (readonly [readonly string[], RegExp])[] = [
    [
      ["api", "--kind", "Nothing", "--group", "apps", "--version", "v1"],
      /Kubernetes has no Nothing in apps\/v1; a kind of your own needs a domain of yours as its group/,
    ],
    [
      ["api", "--kind", "Bars", "--group", "bars.example.com", "--version", "v1"],
      /src\/bars\.ts defines Bars in v1alpha1; give it v1 there, under versions/,
    ],
    [
      ["webhook", "--kind", "Nothing"],
      /the project has no Nothing with export const Nothing = defineResource\(…\) in src; kaji create api makes one/,
    ],
  ];
  for (const [parameters, line] of lines) {
    const { code, err } = await ran(["create", ...parameters, ...more]);
    assert.equal(code, 1);
    assert.match(err, line);
  }
  writeFileSync(join(folder, "src/operator.ts"), "export const operator = makeIt();\n");
  assert.match(
    (await ran(["create", "api", "--kind", "Foo", "--group", "bars.example.com", ...more])).err,
    /to add fooController to; nothing was changed/,
  );
  assert.equal(existsSync(join(folder, "src/foo.ts")), false);
  assert.equal(Object.keys(contentOf(folder)).length, Object.keys(before).length);
});

test("a further resource is in the group of those that there are, as long as they have one", async () => {
  using project = emptyProject();
  const { folder } = project;
  const more = ["--project", folder, "--yes"];
  await ran(["init", "shop", "--kind", "Shop", "--group", "shop.example.com", "--folder", folder, "--yes"]);
  assert.equal((await ran(["create", "api", "--kind", "Region", ...more])).code, 0);
  assert.match(readFileSync(join(folder, "src/region.ts"), "utf8"), /group: "shop\.example\.com"/);
  assert.match((await ran(["create", "api", "--kind", "Deployment", ...more])).err, /^kaji: --group is needed: /);
  await ran(["create", "api", "--kind", "Shelf", "--group", "stock.example.com", ...more]);
  assert.match((await ran(["create", "api", "--kind", "Crate", ...more])).err, /^kaji: --group is needed: /);
});

test("an operator that is defined elsewhere than in src imports what is added from there", async () => {
  using project = emptyProject();
  const { folder } = project;
  const more = ["--project", folder, "--yes"];
  project.write("package.json", JSON.stringify({ type: "module", kaji: { operator: "lib/operator.ts" } }));
  project.write(
    "lib/operator.ts",
    `import { defineOperator } from "kaji";\nexport const operator = defineOperator({ name: "bars", controllers: [] });\n`,
  );
  assert.equal((await ran(["create", "api", "--kind", "Bar", "--group", "bars.example.com", ...more])).code, 0);
  assert.equal((await ran(["create", "webhook", "--kind", "Bar", ...more])).code, 0);
  const { code, err, out } = await ran(["manifests", "--project", folder]);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /validate-bars-example-com-v1alpha1-bar/);
});

test("the folder of a new project can be gone to as it is said, also with a space in its name", async () => {
  using project = emptyProject();
  const { out } = await ran(["init", "bars", "--folder", join(project.folder, "my bars"), "--yes"]);
  assert.match(out, /^ {2}cd '.*my bars'$/m);
});

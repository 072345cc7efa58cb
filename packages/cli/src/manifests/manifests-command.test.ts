import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import { barProject, emptyProject } from "../testing/test-project.ts";

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

test("a plain manifest goes to stdout, the same each time", async () => {
  using project = barProject();
  const { code, out, err } = await ran(["manifests", "--project", project.folder, "--image", "bars:1.2.3"]);
  assert.deepEqual([code, err], [0, ""]);
  const kinds = parseAllDocuments(out).map((document) => String(document.get("kind")));
  assert.deepEqual([kinds[0], kinds.at(-1)], ["CustomResourceDefinition", "Deployment"]);
  assert.match(out, /^ +image: bars:1\.2\.3$/m);
  assert.equal((await ran(["manifests", "--project", project.folder, "--image", "bars:1.2.3"])).out, out);
});

test("a definition that a chart had before and has no more, or has elsewhere, is told of: Helm would install it", async () => {
  using project = barProject();
  const folder = join(project.folder, "chart");
  const parameters = ["manifests", "--project", project.folder, "--format", "helm", "--out", folder];
  await ran(parameters);
  const text = readFileSync(join(folder, "crds/bars.example.com.yaml"), "utf8");
  project.write("chart/crds/certificates.cert-manager.io.yaml", text.replaceAll(/app\.kubernetes\.io.*$/gm, "a: b"));
  assert.deepEqual(await ran([...parameters, "--check"]), { code: 0, out: "nothing to change\n", err: "" });
  project.write("chart/crds/bazes.example.com.yaml", text.replaceAll("bars.example.com", "bazes.example.com"));
  project.write("chart/templates/bars.example.com.yaml", `${text}# {{ .Release.Namespace }}\r\n`);
  const warning = ["crds/bazes.example.com.yaml", "templates/bars.example.com.yaml"]
    .map((path) => `warning: ${join(folder, path)} is of an earlier chart, and Helm would install its definition too; remove it\n`)
    .join("");
  assert.deepEqual(await ran(parameters), { code: 0, out: "nothing to change\n", err: warning });
  const checked = await ran([...parameters, "--check"]);
  assert.deepEqual([checked.code, checked.err], [1, `${warning}kaji: ${folder} has 2 files too many; remove what is left over\n`]);
});

test("files whose lines end as on Windows are as they are to be", async () => {
  using project = barProject();
  const folder = join(project.folder, "deploy");
  const parameters = ["manifests", "--project", project.folder, "--out", folder];
  await ran(parameters);
  for (const path of filesIn(folder))
    project.write(join("deploy", path), readFileSync(join(folder, path), "utf8").replaceAll("\n", "\r\n"));
  assert.deepEqual(await ran([...parameters, "--check"]), { code: 0, out: "nothing to change\n", err: "" });
});

test("each format is a folder of files, and --check fails once one of them differs", async () => {
  using project = barProject({ hasWebhook: true });
  for (const [format, expected] of [
    ["plain", ["install.yaml", "samples/bar.yaml"]],
    [
      "helm",
      ["Chart.yaml", "crds/bars.example.com.yaml", "templates/NOTES.txt", "templates/operator.yaml", "values.schema.json", "values.yaml"],
    ],
  ] as const) {
    const folder = join(project.folder, format);
    const parameters = ["manifests", "--project", project.folder, "--format", format, "--out", folder];
    assert.equal((await ran(parameters)).code, 0);
    assert.deepEqual(filesIn(folder), expected);
    assert.deepEqual(await ran([...parameters, "--check"]), { code: 0, out: "nothing to change\n", err: "" });
    const [first] = expected;
    writeFileSync(join(folder, first), "changed by hand\n");
    const { code, out, err } = await ran([...parameters, "--check"]);
    assert.deepEqual([code, out], [1, `differs ${join(folder, first)}\n`]);
    assert.match(err, /^kaji: .* differs from the operator in 1 of \d files; run it without --check, and commit them\n$/);
    assert.equal((await ran([...parameters, "--output", "json"])).out, `${JSON.stringify({ changed: [join(folder, first)] })}\n`);
  }
});

test("a kustomize tree has a base, an overlay and samples; the chart has the version of the project", async () => {
  using project = barProject();
  const [config, chart] = [join(project.folder, "config"), join(project.folder, "chart")];
  await ran(["manifests", "--project", project.folder, "--format", "kustomize", "--out", config]);
  assert.deepEqual(
    filesIn(config).filter((path) => !path.startsWith("base/")),
    ["overlays/default/kustomization.yaml", "samples/bar.yaml"],
  );
  await ran(["manifests", "--project", project.folder, "--format", "helm", "--out", chart]);
  assert.match(readFileSync(join(chart, "Chart.yaml"), "utf8"), /^version: 1\.2\.3$/m);
});

test("the environment of the operator is that of package.json, where --env does not say something else", async () => {
  using project = barProject();
  const [token, chart] = [{ secretKeyRef: { name: "registrar", key: "token" } }, join(project.folder, "chart")];
  const declare = (env: unknown): void => project.write("package.json", JSON.stringify({ name: "bars", type: "module", kaji: { env } }));
  declare([
    { name: "URL", value: "https://one.example.com" },
    { name: "TOKEN", valueFrom: token },
  ]);
  const expected = [
    { name: "TOKEN", valueFrom: token },
    { name: "URL", value: "https://two.example.com?a=b,c" },
    { name: "EMPTY", value: "" },
  ];
  const parameters = ["manifests", "--project", project.folder, "--env", "URL=https://two.example.com?a=b,c", "--env", "EMPTY="];
  const { out } = await ran(parameters);
  const deployment = parseAllDocuments(out)
    .find((document) => document.get("kind") === "Deployment")
    ?.toJS();
  assert.deepEqual(deployment.spec.template.spec.containers[0].env.slice(1), expected);
  await ran([...parameters, "--format", "helm", "--out", chart]);
  assert.deepEqual(parse(readFileSync(join(chart, "values.yaml"), "utf8")).env, expected);

  const lines: readonly (readonly [unknown, string])[] = [
    [{ URL: "x" }, "package.json: kaji.env: expected array, received object"],
    [[{ nam: "URL", value: "" }], "package.json: kaji.env.0.nam is unknown; did you mean name?"],
    [[{ name: "URL", value: 1 }], "package.json: kaji.env.0.value: expected string, received number"],
    [[{ name: "URL", valueFrom: {} }], "package.json: kaji.env.0.valueFrom: needs one of secretKeyRef, configMapKeyRef and fieldRef"],
    [[{ name: "URL", value: "", valueFrom: token }], "package.json: kaji.env.0: has both value and valueFrom"],
    [[{ name: "POD_NAMESPACE", value: "" }], "env: POD_NAMESPACE is set by the manifests themselves"],
  ];
  for (const [env, line] of lines) {
    declare(env);
    assert.deepEqual(await ran(["manifests", "--project", project.folder]), { code: 1, out: "", err: `kaji: ${line}\n` });
  }
});

test("what is the same at each deployment is in package.json, where no option says something else", async () => {
  using project = barProject();
  const declare = (deploy: unknown): void =>
    project.write("package.json", JSON.stringify({ name: "bars", type: "module", kaji: { deploy } }));
  const rendered = async (...parameters: readonly string[]): Promise<readonly unknown[]> => {
    const { out } = await ran(["manifests", "--project", project.folder, ...parameters]);
    const objects = parseAllDocuments(out).map((document) => document.toJS());
    const { replicas, template } = objects.find(({ kind }) => kind === "Deployment").spec;
    const [{ args, resources }] = template.spec.containers;
    return [
      replicas,
      args.at(-1),
      resources.limits,
      objects.filter(({ kind }) => kind === "Role").map(({ metadata }) => metadata.namespace),
    ];
  };
  const namespaces = ["team-a", "team-b"];
  declare({ namespaces, replicas: 2, resources: { limits: { memory: "512Mi" } } });
  const limits = { cpu: "500m", memory: "512Mi" };
  assert.deepEqual(await rendered(), [2, "--namespaces=team-a,team-b", limits, [...namespaces, "bars-system"]]);
  assert.deepEqual(await rendered("--namespaces", "team-c", "--replicas", "3"), [
    3,
    "--namespaces=team-c",
    limits,
    ["team-c", "bars-system"],
  ]);

  const lines: readonly (readonly [unknown, string])[] = [
    [{ replica: 2 }, "package.json: kaji.deploy.replica is unknown; did you mean replicas?"],
    [
      { image: "bars" },
      "package.json: kaji.deploy.image is unknown; there is namespace, namespaces, replicas, shards, certificates, metrics-auth, service-monitor, resources, pod, serviceAccount",
    ],
    [{ namespaces: "team-a" }, "package.json: kaji.deploy.namespaces: expected array, received string"],
    [{ resources: { limits: { memory: 512 } } }, "package.json: kaji.deploy.resources.limits.memory: expected string, received number"],
  ];
  for (const [deploy, line] of lines) {
    declare(deploy);
    assert.deepEqual(await ran(["manifests", "--project", project.folder]), { code: 1, out: "", err: `kaji: ${line}\n` });
  }
});

test("what else Pods and ServiceAccount have is in package.json, in the words of Kubernetes", async () => {
  using project = barProject();
  const declare = (deploy: unknown): void =>
    project.write("package.json", JSON.stringify({ name: "bars", type: "module", kaji: { deploy } }));
  const [chart, annotations] = [join(project.folder, "chart"), { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/bars" }];
  const placement = {
    imagePullSecrets: [{ name: "registry" }],
    tolerations: [{ key: "dedicated", operator: "Exists", effect: "NoSchedule" }],
    priorityClassName: "system-cluster-critical",
  };
  const volumes = [{ name: "scratch", emptyDir: { sizeLimit: "1Gi" } }];
  const volumeMounts = [{ name: "scratch", mountPath: "/scratch" }];
  const pod = { ...placement, labels: { team: "a" }, securityContext: { fsGroup: 1000 }, volumes, volumeMounts };
  declare({ pod, serviceAccount: { annotations } });
  const { out } = await ran(["manifests", "--project", project.folder]);
  const objects = parseAllDocuments(out).map((document) => document.toJS());
  const { metadata, spec } = objects.find(({ kind }) => kind === "Deployment").spec.template;
  const { imagePullSecrets, tolerations, priorityClassName } = spec;
  assert.deepEqual({ imagePullSecrets, tolerations, priorityClassName }, placement);
  assert.deepEqual([metadata.labels["team"], metadata.labels["app.kubernetes.io/name"]], ["a", "bars"]);
  assert.deepEqual(spec.securityContext, { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" }, fsGroup: 1000 });
  assert.deepEqual([spec.volumes, spec.containers[0].volumeMounts], [volumes, volumeMounts]);
  assert.deepEqual(objects.find(({ kind }) => kind === "ServiceAccount").metadata.annotations, annotations);
  await ran(["manifests", "--project", project.folder, "--format", "helm", "--out", chart]);
  const values = parse(readFileSync(join(chart, "values.yaml"), "utf8"));
  assert.deepEqual([values.pod.tolerations, values.serviceAccount], [placement.tolerations, { annotations }]);

  const lines: readonly (readonly [unknown, string])[] = [
    [{ pod: { nodeSelectr: {} } }, "package.json: kaji.deploy.pod.nodeSelectr is unknown; did you mean nodeSelector?"],
    [
      { pod: { tolerations: [{ foo: "a" }] } },
      "package.json: kaji.deploy.pod.tolerations.0.foo is unknown; there is key, operator, value, effect, tolerationSeconds",
    ],
    [{ pod: { nodeSelector: { zone: 1 } } }, "package.json: kaji.deploy.pod.nodeSelector.zone: expected string, received number"],
    [{ pod: { imagePullSecrets: ["a"] } }, "package.json: kaji.deploy.pod.imagePullSecrets.0: expected object, received string"],
    [
      { pod: { tolerations: [{ operatr: "Exists" }] } },
      "package.json: kaji.deploy.pod.tolerations.0.operatr is unknown; did you mean operator?",
    ],
    [{ serviceAccount: { name: "other" } }, "package.json: kaji.deploy.serviceAccount.name is unknown; there is annotations"],
    [{ pod: { labels: { "app.kubernetes.io/name": "x" } } }, "pod.labels: app.kubernetes.io/name is set by the manifests themselves"],
  ];
  for (const [deploy, line] of lines) {
    declare(deploy);
    assert.deepEqual(await ran(["manifests", "--project", project.folder]), { code: 1, out: "", err: `kaji: ${line}\n` });
  }
});

test("what is wrong with the command line is said in one line, with exit code 2", async () => {
  using project = barProject();
  const lines: Readonly<Record<string, string>> = {
    "--format helm": "--format helm needs --out FOLDER",
    "--check": "--check needs --out FOLDER",
    "--format json": "--format must be plain or kustomize or helm, not 'json'",
    "--image Registry/Bars:1": "--image: 'Registry/Bars:1' is not the name of an image, as in registry.example.com/team/bars:1.2.3",
    "--namespace Not_One": "--namespace: 'Not_One' is not the name of a namespace",
    "--namespaces a,B": "--namespaces: 'B' is not the name of a namespace",
    "--env REGISTRAR_URL": "--env must be NAME=VALUE, not 'REGISTRAR_URL'",
    "--replicas many": "--replicas must be a number from 0 to 1000, not 'many'",
    "--certificates mine": "--certificates must be built-in or cert-manager, not 'mine'",
  };
  for (const [parameters, line] of Object.entries(lines)) {
    assert.deepEqual(await ran(["manifests", "--project", project.folder, ...parameters.split(" ")]), {
      code: 2,
      out: "",
      err: `kaji: ${line}\n`,
    });
  }
});

test("a project that cannot be loaded is said in one line that names the file and what to do", async () => {
  const lines: Readonly<Record<string, RegExp>> = {
    "": /^kaji: src\/operator\.ts does not exist; it exports the operator: export const operator = defineOperator\(\{ … \}\)\n$/,
    "export const nothing = 1;": /^kaji: src\/operator\.ts must export the operator: /,
    "import './missing.ts';":
      /^kaji: src\/operator\.ts cannot be loaded: Cannot find module 'src\/missing\.ts' imported from src\/operator\.ts\n$/,
    "const a = ;": /^kaji: src\/operator\.ts cannot be loaded: .*\(src\/operator\.ts:1\)\n$/,
    'import { defineResource, z } from "kaji"; defineResource({ group: "x", version: "v1", kind: "lower", spec: z.object({ a: z.date() }) });':
      /^kaji: src\/operator\.ts cannot be loaded: cannot define lower \(x\/v1\): .*\(src\/operator\.ts:1\)\n$/,
  };
  for (const [text, line] of Object.entries(lines)) {
    using project = emptyProject();
    project.write("package.json", `{ "type": "module" }`);
    if (text !== "") project.write("src/operator.ts", text);
    const { code, err } = await ran(["manifests", "--project", project.folder]);
    assert.equal(code, 1);
    assert.match(err, line);
  }
});

test("an import of what is not installed, or of no group of Kubernetes, comes with what to do", async () => {
  using project = emptyProject();
  project.write("package.json", `{ "type": "module" }`);
  const lines = {
    "not-there/deep": "Cannot find package 'not-there' imported from src/operator.ts; npm install not-there brings it",
    "kaji/core/v2": "; kaji/core/v2 is no group and version of Kubernetes; there are kaji/core/v1, kaji/apps/v1 and so on",
  };
  for (const [imported, line] of Object.entries(lines)) {
    project.write("src/operator.ts", `import { bar } from ${JSON.stringify(imported)};`);
    const { code, err } = await ran(["manifests", "--project", project.folder]);
    assert.deepEqual([code, err.startsWith("kaji: src/operator.ts cannot be loaded: ")], [1, true]);
    assert.ok(err.endsWith(`${line}\n`), err);
  }
});

test("an import that leaves out the end of a file's name is told what the file is called", async () => {
  using project = emptyProject();
  project.write("package.json", `{ "type": "module" }`);
  project.write("src/bar.ts", "export const bar = 1;");
  project.write("src/kinds/index.ts", "export const bar = 1;");
  const files = { "./bar": "src/bar.ts", "./bar.js": "src/bar.ts", "./kinds": "src/kinds/index.ts" };
  for (const [imported, file] of Object.entries(files)) {
    project.write("src/operator.ts", `import { bar } from ${JSON.stringify(imported)};`);
    const { code, err } = await ran(["manifests", "--project", project.folder]);
    assert.equal(code, 1);
    assert.ok(err.endsWith(`; there is ${file}, and an import names its file whole\n`), err);
  }
});

test("a sample that a rule of the resource refuses is written with a warning that says why and what to do", async () => {
  const refused = async (rule: string, spec: string): Promise<string> => {
    using project = barProject();
    const text = readFileSync(join(project.folder, "src/operator.ts"), "utf8");
    project.write(
      "src/operator.ts",
      text.replace("webhook,", "k, webhook,").replace(/spec: z\.object\(\{.*\}\) \}/, `spec: z.object(${spec})${rule} }`),
    );
    const { code, out, err } = await ran(["manifests", "--project", project.folder, "--out", join(project.folder, "deploy")]);
    assert.deepEqual([code, /^wrote .*bar\.yaml$/m.test(out)], [0, true]);
    return err;
  };
  const pages =
    'pages: z.record(z.string(), z.string()).check(k.rule("\'index.html\' in self", { message: "there must be an index.html" }))';
  const example = '.meta({ example: { "index.html": "hello" } })';
  assert.equal(
    await refused("", `{ ${pages}, text: z.string().optional() }`),
    "warning: an API server would refuse the sample of Bar: spec.pages: Invalid value: there must be an index.html; give the field an example: .meta({ example: … })\n",
  );
  assert.equal(await refused("", `{ ${pages}${example}, text: z.string().optional() }`), "");
  assert.match(
    await refused('.check(k.rule("self.low < self.high"))', "{ low: z.int32(), high: z.int32(), text: z.string().optional() }"),
    / sample of Bar: spec: Invalid value: failed rule: self\.low < self\.high; give the field an example: /,
  );
});

test("a folder that is no project is said with what to do", async () => {
  using project = emptyProject();
  const { code, err } = await ran(["manifests", "--project", project.folder]);
  assert.equal(code, 1);
  assert.match(err, /^kaji: there is no package\.json in .*; run this in an operator's folder, or make one with kaji init NAME\n$/);
});

test("a cluster checks everything before anything is written, samples too once it knows their kinds", async () => {
  using project = barProject();
  await using cluster = await clusterFor(project, { controllers: [], nodes: 0 });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig] as const;
  const out = join(project.folder, "deploy");
  const first = await ran(["manifests", "--validate", "--env", "REGION=eu", "--out", out, ...target]);
  assert.equal(first.code, 0);
  assert.match(first.err, /^kaji \(https:.*\) takes all of it, but for 1 sample: kaji install puts what defines them there\n$/);
  await ran(["install", ...target]);
  assert.match((await ran(["manifests", "--validate", "--out", out, ...target])).err, /takes all of it\n$/);
  rmSync(out, { recursive: true });
  // What a rule in CEL says is for the server to judge.
  using broken = barProject();
  const text = readFileSync(join(broken.folder, "src/operator.ts"), "utf8");
  broken.write("src/operator.ts", text.replace('.default("hello")', '.check(k.rule("self.nothing"))').replace("webhook,", "k, webhook,"));
  const refused = await ran(["manifests", "--validate", "--out", out, "--project", broken.folder, "--kubeconfig", cluster.kubeconfig]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, / refused Bar v1: spec\.text: rule self\.nothing: compilation failed: /);
  assert.equal(existsSync(out), false);
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import { barProject, emptyProject } from "../testing/test-project.ts";

const crd = `apiVersion: v1
kind: ConfigMap
metadata: { name: other }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: webroutes.net.example.com }
spec:
  group: net.example.com
  scope: Cluster
  names: { kind: WebRoute, plural: webroutes, singular: webroute }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          description: Leads to a service.
          required: [spec]
          properties:
            apiVersion: { type: string }
            kind: { type: string }
            metadata: { type: object }
            spec:
              type: object
              required: [port]
              properties:
                port: { x-kubernetes-int-or-string: true, description: "By number or name." }
                mode: { type: string, enum: [Direct, Relayed], default: Direct }
                weights: { type: object, additionalProperties: { type: integer, format: int32 } }
                hosts: { type: array, items: { type: string }, x-kubernetes-list-type: set }
                "odd-name": { type: boolean, nullable: true }
                free: { type: object, x-kubernetes-preserve-unknown-fields: true }
            status:
              type: object
              properties: { ready: { type: boolean } }
`;

test("definitions may be in a list, as kubectl get writes several, and files of theirs may have the line ends of Windows", async () => {
  using project = emptyProject();
  const definition: unknown = parse(crd.slice(crd.indexOf("---") + 4));
  project.write("crds.json", JSON.stringify({ apiVersion: "v1", kind: "List", items: [definition] }));
  const path = join(project.folder, "src/web-route.ts");
  const parameters = ["types", join(project.folder, "crds.json"), "--out", join(project.folder, "src")];
  assert.deepEqual(await ran(parameters), { code: 0, out: `wrote ${path}\n`, err: "" });
  project.write("src/web-route.ts", readFileSync(path, "utf8").replaceAll("\n", "\r\n"));
  assert.deepEqual(await ran(parameters), { code: 0, out: "nothing to change\n", err: "" });
});

test("kinds of the same name in different groups have a file each", async () => {
  using project = emptyProject();
  project.write("crds.yaml", `${crd}---\n${crd.slice(crd.indexOf("---") + 4).replaceAll("net.example.com", "web.example.org")}`);
  const path = (name: string): string => join(project.folder, "src", name);
  const out = `wrote ${path("net-web-route.ts")}\nwrote ${path("web-web-route.ts")}\n`;
  const parameters = ["types", join(project.folder, "crds.yaml"), "--out", join(project.folder, "src")];
  assert.deepEqual(await ran(parameters), { code: 0, out, err: "" });
  for (const [name, group] of [
    ["net-web-route.ts", "net.example.com"],
    ["web-web-route.ts", "web.example.org"],
  ] as const)
    assert.match(readFileSync(path(name), "utf8"), new RegExp(`^ {2}group: "${group}",$`, "m"));
});

test("the file of a kind is not replaced by that of another group", async () => {
  using project = emptyProject();
  const parameters = ["types", join(project.folder, "crds.yaml"), "--out", project.folder];
  project.write("crds.yaml", crd);
  assert.equal((await ran(parameters)).code, 0);
  project.write("crds.yaml", crd.replaceAll("net.example.com", "web.example.org"));
  const { code, err } = await ran(parameters);
  assert.deepEqual(
    [code, err],
    [1, `kaji: ${join(project.folder, "web-route.ts")} has the WebRoute of another group than web.example.org; choose another --out\n`],
  );
});

test("a definition becomes a typed resource that is not the operator's to install", async () => {
  using project = emptyProject();
  project.write("package.json", `{ "type": "module" }`);
  project.write("crds.yaml", crd);
  const parameters = ["types", join(project.folder, "crds.yaml"), "--out", project.folder];
  assert.deepEqual(await ran(parameters), { code: 0, out: `wrote ${join(project.folder, "web-route.ts")}\n`, err: "" });
  assert.equal((await ran(parameters)).out, "nothing to change\n");
  assert.equal((await ran([...parameters, "--output", "json"])).out, `{"changed":[]}\n`);
  const url = pathToFileURL(join(project.folder, "crds.yaml")).href;
  assert.equal((await ran(["types", url, "--out", project.folder])).out, "nothing to change\n");
  const { WebRoute } = await import(pathToFileURL(join(project.folder, "web-route.ts")).href);
  assert.deepEqual([WebRoute.group, WebRoute.version, WebRoute.plural, WebRoute.scope], ["net.example.com", "v1", "webroutes", "Cluster"]);
  assert.equal("crd" in WebRoute, false);
  assert.deepEqual(WebRoute.sample().spec.mode, "Direct");
  const text = readFileSync(join(project.folder, "web-route.ts"), "utf8");
  assert.match(text, /\nexport const WebRoute = webRouteDefinition\.versions\.v1;\nexport type WebRoute = ObjectOf<typeof WebRoute>;\n$/);
  assert.match(
    text,
    /\n {4}port: k\.intOrString\(\)\.describe\("By number or name\."\),\n {4}mode: z\.enum\(\["Direct", "Relayed"\]\)\.default\("Direct"\),\n/,
  );
  assert.match(
    text,
    /\n {4}weights: z\.record\(z\.string\(\), z\.int32\(\)\)\.optional\(\),\n {4}hosts: k\.set\(z\.string\(\)\)\.optional\(\),\n/,
  );
  assert.match(
    text,
    /\n {4}\["odd-name"\]: z\.boolean\(\)\.nullable\(\)\.optional\(\),\n {4}free: k\.preserveUnknownFields\(\)\.optional\(\),\n/,
  );
});

test("where a kind is served in several versions, the file says which one it has, and that there are others", async () => {
  using project = emptyProject();
  const definition = crd.slice(crd.indexOf("---") + 4);
  const version = definition.slice(definition.indexOf("    - name: v1"));
  project.write("crds.yaml", definition + version.replace("name: v1", "name: v1beta1").replace("storage: true", "storage: false"));
  const written = async (...more: readonly string[]): Promise<string> =>
    (await ran(["types", join(project.folder, "crds.yaml"), ...more])).out;
  assert.match(
    await written(),
    /\n\/\*\* The definition in v1 alone \(it is served in v1beta1, too; --version writes another\), which is not /,
  );
  assert.match(await written("--version", "v1beta1"), /\n\/\*\* The definition in v1beta1 alone \(it is served in v1, too; /);
});

test("a definition in a cluster will do as well", async () => {
  using project = barProject();
  await using cluster = await clusterFor(project, { controllers: [], nodes: 0 });
  const target = ["--kubeconfig", cluster.kubeconfig] as const;
  await ran(["install", "--project", project.folder, ...target]);
  const { code, out } = await ran(["types", "--live", "bars.example.com", ...target]);
  assert.equal(code, 0);
  assert.match(out, /export const Bar = barDefinition\.versions\.v1;\nexport type Bar = ObjectOf<typeof Bar>;\n$/);
  const missing = await ran(["types", "--live", "bars", ...target]);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /^kaji: kaji \(https:\S+\) has no definition bars; kubectl get crd lists those that it has, such as /);
});

test("what is no definition, or a file that the user wrote, is said", async () => {
  using project = emptyProject();
  project.write("crds.yaml", crd);
  project.write("bad.yaml", "a: [\n");
  project.write("alias.yaml", "a: &text { b: 1 }\n---\nc: *text\n");
  project.write("none.yaml", "a: 1\n");
  project.write("misspelt.yaml", crd.replace("openAPIV3Schema", "openApiV3Schema"));
  project.write("nameless.yaml", crd.replace(/^ {2}names: .*\n/m, ""));
  project.write("flow.yaml", "a: [1\n b: 2\n");
  project.write("web-route.ts", "// mine\n");
  project.write("folders/inner.yaml/none", "");
  const at = (name: string): string => join(project.folder, name);
  const lines: readonly (readonly [readonly string[], number, RegExp])[] = [
    [[], 2, /^kaji: which source\?/],
    [["https://example.com/crds.yaml"], 2, /is not on this machine; download it first: curl -LO https:/],
    [["file://other/crds.yaml"], 2, /file:\/\/other\/crds\.yaml is not the URL of a file, such as file:/],
    [[at("gone.yaml")], 1, /there is no .*gone\.yaml; --live takes the name/],
    [[at("bad.yaml")], 1, /bad\.yaml is not YAML: /],
    [[at("alias.yaml")], 1, /alias\.yaml is not YAML: Unresolved alias .*: text$/m],
    [[at("flow.yaml")], 1, /flow\.yaml is not YAML: .* at line 1, column 5$/m],
    [[at("nameless.yaml")], 1, /a CustomResourceDefinition in .*nameless\.yaml has no spec\.names\.kind$/m],
    [[at("misspelt.yaml")], 1, /webroutes\.net\.example\.com has no schema\.openAPIV3Schema in v1, which API servers refuse; see whether/],
    [[at("folders")], 1, /^kaji: \S+inner\.yaml cannot be read: EISDIR/],
    [[at("none.yaml")], 1, /there is no CustomResourceDefinition in /],
    [[at("crds.yaml"), "--version", "v9"], 1, /webroutes\.net\.example\.com is not served in v9; there is v1/],
    [[at("crds.yaml"), "--out", project.folder], 1, /web-route\.ts exists and was not made by kaji types/],
  ];
  for (const [parameters, code, line] of lines) {
    const answer = await ran(["types", ...parameters]);
    assert.equal(answer.code, code);
    assert.match(answer.err, line);
  }
});

test("what a definition of ours cannot say is warned of", async () => {
  using project = emptyProject();
  const definition = (subresources: object, root: object): string =>
    JSON.stringify({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "runs.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { kind: "Run", plural: "runs" },
        versions: [{ name: "v1", served: true, storage: true, subresources, schema: { openAPIV3Schema: { type: "object", ...root } } }],
      },
    });
  const warned = async (subresources: object, root: object): Promise<string> => {
    project.write("crd.json", definition(subresources, root));
    return (await ran(["types", join(project.folder, "crd.json")])).err;
  };
  const status = { type: "object", properties: { replicas: { type: "integer" } } };
  assert.equal(await warned({ status: {} }, { properties: { status } }), "");
  assert.equal(
    await warned({}, { properties: { status } }),
    "warning: Run has a status without the status subresource: its cluster knows no setStatus, a test knows no other way to write it\n",
  );
  assert.equal(
    await warned({}, { "x-kubernetes-preserve-unknown-fields": true }),
    "warning: Run keeps fields beside those that its schema names: they have no type, and a test drops them\n",
  );
  assert.equal(
    await warned(
      { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
      { properties: { status } },
    ),
    "warning: Run has a scale whose replicas need not be a number from 0 to 2147483647: a test knows no scale of it\n",
  );
});

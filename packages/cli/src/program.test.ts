import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { commands } from "./commands.ts";
import { run } from "./program.ts";

/** What the program said, and how it ended. */
async function ran(...parameters: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const code = await run(parameters, { out: (text) => (out += text), err: (text) => (err += text) });
  return { code, out, err };
}

test("--help, and nothing at all, list the commands with an example", async () => {
  const { code, out, err } = await ran("--help");
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^Usage: kaji COMMAND/);
  assert.match(out, /\n {2}up +run a Kubernetes control plane/);
  assert.match(out, /Example:/);
  assert.deepEqual(await ran(), { code, out, err });
  assert.deepEqual(await ran("-h"), { code, out, err });
});

test("a command's --help has its options and an example", async () => {
  const { code, out } = await ran("up", "--help");
  assert.equal(code, 0);
  for (const option of [
    "--data",
    "--storage",
    "--etcd-servers",
    "--etcd-prefix",
    "--host",
    "--port",
    "--kubeconfig",
    "--log",
    "--output",
    "--verbose",
  ]) {
    assert.ok(out.includes(`  ${option} `), option);
  }
  assert.match(out, /Example:\n {2}kaji up /);
});

test("every command has help with each of its options and an example", async () => {
  for (const [name, { load }] of commands) {
    const { options, positionals = [] } = await load();
    const { code, out } = await ran(...name.split(" "), "--help");
    assert.equal(code, 0);
    assert.match(out, new RegExp(`^Usage: kaji ${name}\\b`));
    assert.match(out, new RegExp(`\nExamples?:\n {2}(.*<\\()?kaji ${name}\\b`));
    for (const option of [...Object.keys(options), "verbose"].filter((each) => !positionals.includes(each))) {
      assert.ok(new RegExp(`^ {2}--${option}\\b`, "m").test(out), `${name} --${option}`);
    }
    for (const line of out.split("\n")) assert.ok(line.length <= 200, line);
  }
});

test("help and a command is the help of the command", async () => {
  assert.deepEqual(await ran("help", "create", "api"), await ran("create", "api", "--help"));
});

test("help of the first word of several commands is a list of them", async () => {
  const { code, out } = await ran("create", "--help");
  assert.deepEqual([code, out.match(/^ {2}\w+ \w+/gm)], [0, ["  create api", "  create webhook"]]);
  assert.deepEqual(await ran("help", "create"), { code, out, err: "" });
});

test("--version is the version of the package", async () => {
  assert.match((await ran("--version")).out, /^\d+\.\d+\.\d+\n$/);
});

test("what is not understood is said in one line, with exit code 2", async () => {
  const lines: Readonly<Record<string, string>> = {
    frobnicate: "unknown command 'frobnicate'; kaji --help lists what there is",
    instal: "unknown command 'instal'; did you mean install? kaji --help lists what there is",
    deploi: "unknown command 'deploi'; did you mean deploy? kaji --help lists what there is",
    dve: "unknown command 'dve'; did you mean dev? kaji --help lists what there is",
    "craete api": "unknown command 'craete'; did you mean create api? kaji --help lists what there is",
    "help frobnicate": "unknown command 'frobnicate'; kaji --help lists what there is",
    "--frobnicate": "unknown option '--frobnicate'; kaji --help lists what there is",
    "up --frobnicate": "unknown option '--frobnicate'; kaji up --help lists the options",
    "up --prot 1": "unknown option '--prot'; did you mean --port? kaji up --help lists the options",
    "up more": "unexpected argument 'more'; kaji up --help lists the options",
    "up --port": "option '--port <value>' argument missing; kaji up --help lists the options",
    "up --port -1":
      "option '--port' has no value, or one that begins with a dash, which is written --OPTION=VALUE; kaji up --help lists the options",
    "init --yes": "NAME is needed: what is the operator called?",
    "completion tcsh": "there is no script for tcsh, but for bash, zsh, fish",
    "up --port x": "--port must be a number from 0 to 65535, not 'x'",
    "up --port 65536": "--port must be a number from 0 to 65535, not '65536'",
    "up --storage disk": "--storage must be sqlite or memory or etcd, not 'disk'",
    "up --storage etcd": "--storage etcd needs --etcd-servers, such as http://127.0.0.1:2379",
    "up --storage etcd --etcd-servers 127.0.0.1:2379": "--etcd-servers must be URLs such as http://127.0.0.1:2379, not '127.0.0.1:2379'",
    "up --storage etcd --etcd-servers http://a:1,http://b:1/c":
      "--etcd-servers must be URLs such as http://127.0.0.1:2379, not 'http://b:1/c'",
    "up --storage etcd --etcd-servers http://a:1 --etcd-prefix a/": "--etcd-prefix must begin with a slash and not end in one, not 'a/'",
    "up --storage etcd --etcd-servers http://a:1 --etcd-certfile c": "--etcd-certfile 'c' needs --etcd-keyfile",
    "up --storage etcd --etcd-servers http://a:1 --etcd-keyfile k": "--etcd-keyfile 'k' needs --etcd-certfile",
    "up --etcd-prefix /mine": "--etcd-prefix is for --storage etcd only",
    "up --log everything": "--log must be requests, not 'everything'",
    "up --output yaml": "--output must be text or json, not 'yaml'",
    "up --data=": "--data must not be empty",
  };
  for (const [parameters, line] of Object.entries(lines)) {
    assert.deepEqual(await ran(...parameters.split(" ")), { code: 2, out: "", err: `kaji: ${line}\n` });
  }
});

test("the file in bin is the program", async () => {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@kaji/source", main, "--version"]);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

test("--version and --help load the program alone", async () => {
  for (const flag of ["--version", "--help"]) {
    const urls = await modulesOf(
      `await (await import(${JSON.stringify(new URL("program.ts", import.meta.url))})).run(["${flag}"], { out() {}, err() {} });`,
    );
    assert.ok(urls.length <= 8 && urls.every((url) => url.includes("/packages/cli/")), urls.join(" "));
  }
});

test("a command loads only what it needs", async () => {
  const operator = ["client", "core", "informer", "manifests", "runtime", "types"].map((name) => `@kaji/${name}`);
  const needs: readonly (readonly [names: readonly string[], packages: readonly string[]])[] = [
    [["assets", "completion", "dev", "up"], []],
    [["create api", "create webhook", "init"], ["@kaji/core"]],
    [["build"], ["esbuild"]],
    [["explain"], ["@kaji/core", "@kaji/runtime"]],
    [["dashboard"], ["@kaji/client", "@kaji/core", "@kaji/dashboard", "@kaji/types", "yaml"]],
    [["types"], ["@kaji/client", "@kaji/core", "@kaji/types", "yaml"]],
    [
      ["bundle", "catalog", "deploy", "doctor", "install", "manifests", "migrate", "undeploy", "uninstall"],
      [...operator, "@opentelemetry/api", "pino", "prom-client", "yaml"],
    ],
  ];
  assert.deepEqual(needs.flatMap(([names]) => names).sort(), [...commands.keys()].sort());
  for (const [names, packages] of needs) {
    const urls = await modulesOf(`const { commands } = await import(${JSON.stringify(new URL("commands.ts", import.meta.url))});
for (const name of ${JSON.stringify(names)}) await commands.get(name).load();`);
    const loaded = [...new Set(urls.map(packageOf))];
    const own = loaded.filter((name) => name.startsWith("@kaji/") || ["@clack/prompts", "esbuild", "undici", "yaml", "zod"].includes(name));
    const allowed = new Set(["@kaji/cli", ...packages]);
    assert.deepEqual(
      own.filter((name) => !allowed.has(name)),
      [],
      names.join(", "),
    );
    if (packages.length < 2) assert.deepEqual(loaded.sort(), [...allowed].sort(), names.join(", "));
  }
});

test("kaji up loads nothing for an etcd unless there is one", async () => {
  const urls = await modulesOf(`await import(${JSON.stringify(new URL("up/run-up.ts", import.meta.url))});`);
  assert.ok(urls.some((url) => url.endsWith("/storage/sqlite-storage.ts")));
  assert.deepEqual(
    urls.filter((url) => /\/storage\/etcd\/|\/etcd-files\.ts$/.test(url)),
    [],
  );
});

/** The files that a program loads, in a process of its own. */
async function modulesOf(program: string): Promise<readonly string[]> {
  const count = `import { registerHooks } from "node:module";
const urls = new Set();
registerHooks({ load: (url, context, next) => (urls.add(url), next(url, context)) });
${program}
process.stdout.write(JSON.stringify([...urls]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@kaji/source", "--input-type=module", "--eval", count]);
  return (JSON.parse(stdout) as readonly string[]).filter((url) => url.startsWith("file:"));
}

/** `@kaji/core` of a file in packages/core, `yaml` of one in node_modules/yaml. */
function packageOf(url: string): string {
  const [, own] = /\/packages\/([^/]+)\/src\//.exec(url) ?? [];
  if (own !== undefined) return `@kaji/${own}`;
  return /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url;
}

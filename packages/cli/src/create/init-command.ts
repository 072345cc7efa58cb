import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { CommandError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { oneOf, optionalText } from "../option-values.ts";
import { shellWord } from "../shell-word.ts";
import { openProject } from "../project/project.ts";
import { programVersion } from "../program-version.ts";
import { Answers } from "./answers.ts";
import { apiChange, operatorText } from "./api-change.ts";
import { askedApi } from "./asked-api.ts";
import { kindNames, suggestedKind } from "./kind-names.ts";
import { kindProblem, projectNameProblem } from "./name-problems.ts";
import { changeFolder } from "./new-files.ts";
import { projectFiles } from "./project-files.ts";

/** `kaji init`: a new operator. */
export const initCommand: Command = {
  help: `Usage: kaji init [NAME] [options]

Makes a project for a new operator, with a first resource, its controller and a test of both, that runs as it is; or with a controller for a kind of Kubernetes itself, and no resource of
its own. It asks for what it is not told. In a folder with a project that was half made it makes the rest, and changes nothing that is there.

Options:
  --kind KIND         the kind of the first resource (default: after the name)
  --group GROUP       its group: a domain of yours, such as shop.example.com, or that of a kind of Kubernetes
  --version VERSION   its version (default v1alpha1)
  --scope SCOPE       Namespaced or Cluster (default Namespaced)
  --folder FOLDER     where to make it (default: NAME)
  --yes               ask nothing
  --output FORMAT     text or json (default text)
  --verbose           show where an error comes from

Examples:
  kaji init web-sites
  kaji init web-sites --kind WebSite --group shop.example.com --yes
  kaji init reloader --kind Deployment --group apps --version v1
`,
  positionals: ["name"],
  options: {
    name: { type: "string" },
    kind: { type: "string" },
    group: { type: "string" },
    version: { type: "string" },
    scope: { type: "string" },
    folder: { type: "string" },
    yes: { type: "boolean" },
    output: { type: "string" },
  },
  run: init,
};

async function init(values: OptionValues, terminal: Terminal): Promise<void> {
  const output = oneOf(values, "output", ["text", "json"]);
  const answers = new Answers(values, terminal);
  const given = optionalText(values, "folder");
  const initial = given === undefined ? undefined : basename(resolve(given));
  const name = await answers.text({
    option: "name",
    written: "NAME",
    question: "What is the operator called?",
    initial,
    problemOf: projectNameProblem,
  });
  const folder = given ?? name;
  requireRoom(folder);
  const kind = await answers.text({
    option: "kind",
    question: "Of which kind is its first resource?",
    initial: suggestedKind(name),
    problemOf: kindProblem,
  });
  if (optionalText(values, "kind") === undefined) requireFirst(kind, folder);
  const group = { question: "In which group? A domain of yours", initial: `${name}.example.com` };
  const wanted = await askedApi(answers, { kind, folder }, { group, version: "In which version?" });

  const files = projectFiles(name, { kaji: programVersion() });
  const isNew = !existsSync(join(folder, "package.json"));
  const operatorFile = isNew ? "src/operator.ts" : openProject(folder).operatorFile;
  const operator = existsSync(join(folder, operatorFile)) ? operatorText(folder, operatorFile) : (files.get("src/operator.ts") ?? "");
  const api = apiChange(wanted, { folder, operatorFile, operator });
  const created = new Map([...files, ...api.created]);
  const isThere = existsSync(join(folder, operatorFile));
  if (!isThere && api.changed !== undefined) created.set(operatorFile, api.changed.text);
  changeFolder(folder, { created, changed: isThere ? api.changed : undefined }, terminal, output);
  if (output === "text") terminal.out(nextSteps(folder));
}

/** What is in a folder that a repository was made in, but no project. */
const harmless: ReadonlySet<string> = new Set([".git", ".gitignore", ".gitattributes", "LICENSE", "README.md", "node_modules"]);

/** Refuses a folder with something else in it. */
function requireRoom(folder: string): void {
  if (!existsSync(folder)) return;
  const manifest = join(folder, "package.json");
  if (existsSync(manifest)) {
    if (readFileSync(manifest, "utf8").includes('"kaji"')) return;
    throw new CommandError(`${resolve(folder)} has a project that is not an operator of kaji; choose another name, or a --folder`);
  }
  const found = readdirSync(folder).find((name) => !harmless.has(name));
  if (found !== undefined) throw new CommandError(`${resolve(folder)} is not empty: there is ${found}; choose another name, or a --folder`);
}

/** Refuses a kind that nobody has named in a project that has another one already. */
function requireFirst(kind: string, folder: string): void {
  if (!existsSync(join(folder, "package.json"))) return;
  const { operatorFile } = openProject(folder);
  const text = existsSync(join(folder, operatorFile)) ? operatorText(folder, operatorFile) : "";
  const [, controllers = ""] = /\bcontrollers:\s*\[([^\]]*)/.exec(text) ?? [];
  const { variable } = kindNames({ group: "", version: "", kind });
  if (controllers.trim() === "" || controllers.includes(`${variable}Controller`)) return;
  throw new CommandError(
    `${resolve(folder)} is an operator already; kaji create api adds a resource to it, and kaji init --kind KIND makes what is missing of it`,
  );
}

function nextSteps(folder: string): string {
  const [near, far] = [relative(process.cwd(), resolve(folder)), resolve(folder)];
  const place = near.startsWith("..") && far.length <= near.length ? far : near;
  return `
Next:
${place === "" ? "" : `  cd ${shellWord(place)}\n`}  npm install
  npm test
  npx kaji dev
`;
}

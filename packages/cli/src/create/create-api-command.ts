import type { Command, OptionValues, Terminal } from "../command.ts";
import { oneOf, textOf } from "../option-values.ts";
import { openProject } from "../project/project.ts";
import { Answers } from "./answers.ts";
import { apiChange, operatorText } from "./api-change.ts";
import { builtInModule } from "./built-in-kind.ts";
import { groupProblem, kindProblem, versionProblem } from "./kind-names.ts";
import { changeFolder } from "./new-files.ts";

/** `kaji create api`: a resource with its controller. */
export const createApiCommand: Command = {
  help: `Usage: kaji create api [options]

Adds a custom resource, its controller and a test to the project in this folder; for a kind of Kubernetes itself, such as Deployment of the group apps, or one that kaji types has
written a definition of, a controller. It asks for what it is not told. Files that exist are kept as they are, and src/operator.ts gets an import and an entry.

Options:
  --kind KIND         its kind, such as WebSite
  --group GROUP       its group: a domain of yours, such as shop.example.com, or that of a kind of Kubernetes
  --version VERSION   its version (default v1alpha1)
  --scope SCOPE       Namespaced or Cluster (default Namespaced)
  --project FOLDER    the operator's project (default: this folder)
  --yes               ask nothing
  --output FORMAT     text or json (default text)
  --verbose           show where an error comes from

Examples:
  kaji create api --kind WebSite --group shop.example.com
  kaji create api --kind Deployment --group apps --version v1
  kaji types cert-manager.crds.yaml --out src && kaji create api --kind Certificate --group cert-manager.io --version v1
`,
  options: {
    kind: { type: "string" },
    group: { type: "string" },
    version: { type: "string" },
    scope: { type: "string" },
    project: { type: "string" },
    yes: { type: "boolean" },
    output: { type: "string" },
  },
  run: createApi,
};

async function createApi(values: OptionValues, terminal: Terminal): Promise<void> {
  const output = oneOf(values, "output", ["text", "json"]);
  const { folder, operatorFile } = openProject(textOf(values, "project", "."));
  const operator = operatorText(folder, operatorFile);
  const answers = new Answers(values, terminal);
  const kind = await answers.text({ option: "kind", question: "Which kind? Such as WebSite", problemOf: kindProblem });
  const question = "Which group? A domain of yours, such as shop.example.com";
  const group = await answers.text({
    option: "group",
    question,
    problemOf: (text) => (isBuiltInGroup(text) ? undefined : groupProblem(text)),
  });
  const version = await answers.text({ option: "version", question: "Which version?", initial: "v1alpha1", problemOf: versionProblem });
  const module = await builtInModule(group, version, kind);
  if (module === undefined && isBuiltInGroup(group)) throw new UnknownKindError(kind, group, version);
  const scope =
    module === undefined
      ? await answers.choice("scope", "In namespaces, or of the whole cluster?", ["Namespaced", "Cluster"])
      : "Namespaced";
  changeFolder(folder, apiChange({ kind, group, version, scope, module }, { folder, operatorFile, operator }), terminal, output);
}

/** Groups that only Kubernetes itself may have. */
function isBuiltInGroup(group: string): boolean {
  return !group.includes(".") || group.endsWith(".k8s.io");
}

class UnknownKindError extends Error {
  override readonly name = "UnknownKindError";

  constructor(kind: string, group: string, version: string) {
    super(
      `Kubernetes has no ${kind} in ${group === "" ? version : `${group}/${version}`}; a kind of your own needs a domain of yours as its group`,
    );
  }
}

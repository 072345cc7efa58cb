import type { Command, OptionValues, Terminal } from "../command.ts";
import { isSet, oneOf, textOf } from "../option-values.ts";
import { openProject } from "../project/project.ts";
import { Answers } from "./answers.ts";
import { apiChange, operatorText, resourceChange } from "./api-change.ts";
import { askedApi } from "./asked-api.ts";
import { isBuiltInKind } from "./built-in-kind.ts";
import { kindProblem } from "./name-problems.ts";
import { changeFolder } from "./new-files.ts";
import { findProjectGroup } from "./project-kind.ts";

/** `kaji create api`: a resource, with its controller unless it is for others alone. */
export const createApiCommand: Command = {
  help: `Usage: kaji create api [options]

Adds a custom resource, its controller and a test to the project in this folder; for a kind of Kubernetes itself, such as Deployment of the group apps, a controller and a test, and for
one that kaji types has written a definition of, a controller. With --no-controller it adds a custom resource alone, for a kind that only others use, such as a class or a policy that a
controller reads: its definition and its roles for users are installed with the operator. It asks for what it is not told. Files that exist are kept as they are, and src/operator.ts
gets an import and an entry.

Options:
  --kind KIND         its kind, such as WebSite
  --group GROUP       its group: a domain of yours, such as shop.example.com, or that of a kind of Kubernetes (default: that of the project's resources, if they have one)
  --version VERSION   its version (default v1alpha1)
  --scope SCOPE       Namespaced or Cluster (default Namespaced)
  --no-controller     only the resource, which controllers of other kinds use
  --project FOLDER    the operator's project (default: this folder)
  --yes               ask nothing
  --output FORMAT     text or json (default text)
  --verbose           show where an error comes from

Examples:
  kaji create api --kind WebSite --group shop.example.com
  kaji create api --kind WebSiteClass --group shop.example.com --scope Cluster --no-controller
  kaji create api --kind Deployment --group apps --version v1
  kaji types cert-manager.crds.yaml --out src && kaji create api --kind Certificate
`,
  options: {
    kind: { type: "string" },
    group: { type: "string" },
    version: { type: "string" },
    scope: { type: "string" },
    "no-controller": { type: "boolean" },
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
  // Whoever names a kind of Kubernetes may well mean that one.
  const initial = (await isBuiltInKind(kind)) ? undefined : findProjectGroup(folder);
  const group = { question: "Which group? A domain of yours, such as shop.example.com", initial };
  const api = await askedApi(answers, { kind, folder }, { group, version: "Which version?" });
  const change = isSet(values, "no-controller") ? resourceChange : apiChange;
  changeFolder(folder, change(api, { folder, operatorFile, operator }), terminal, output);
}

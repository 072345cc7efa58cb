import type { ResourceDefinition } from "@kaji/core/define";
import { CommandError, UsageError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { isSet, oneOf, optionalText, textOf } from "../option-values.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import type { Project } from "../project/project.ts";
import { Answers } from "./answers.ts";
import { operatorText } from "./api-change.ts";
import { builtInModule } from "./built-in-kind.ts";
import { conversionFiles } from "./conversion-files.ts";
import { importPath } from "./import-path.ts";
import { kindNames } from "./kind-names.ts";
import type { KindNames } from "./kind-names.ts";
import { kindProblem } from "./name-problems.ts";
import { changeFolder } from "./new-files.ts";
import { addToOperator } from "./operator-source.ts";
import { findProjectKinds, isFileNamed } from "./project-kind.ts";
import { webhookFiles } from "./webhook-files.ts";
import type { WebhookDuties, WebhookSubject } from "./webhook-files.ts";

/** `kaji create webhook`: defaults, validation and conversion of a kind. */
export const createWebhookCommand: Command = {
  help: `Usage: kaji create webhook [options]

Adds a webhook to the project in this folder, for a resource of the project, with a test, or for a kind of Kubernetes itself. Files that exist are kept as they are, and
src/operator.ts gets an import and an entry.

Options:
  --kind KIND         the kind of objects that the webhook is asked about
  --group GROUP       its group, where several have a kind of that name, or where it is one of Kubernetes
  --version VERSION   its version, of a kind of Kubernetes (default v1)
  --defaulting        it fills in what users leave out
  --validation        it refuses what must not be; with neither of the two it does both
  --conversion        it converts objects between the versions that the resource is defined in
  --project FOLDER    the operator's project (default: this folder)
  --yes               ask nothing
  --output FORMAT     text or json (default text)
  --verbose           show where an error comes from

Examples:
  kaji create webhook --kind WebSite
  kaji create webhook --kind Pod --group "" --validation
  kaji create webhook --kind WebSite --conversion
`,
  options: {
    kind: { type: "string" },
    group: { type: "string" },
    version: { type: "string" },
    defaulting: { type: "boolean" },
    validation: { type: "boolean" },
    conversion: { type: "boolean" },
    project: { type: "string" },
    yes: { type: "boolean" },
    output: { type: "string" },
  },
  run: createWebhook,
};

async function createWebhook(values: OptionValues, terminal: Terminal): Promise<void> {
  const output = oneOf(values, "output", ["text", "json"]);
  const project = openProject(textOf(values, "project", "."));
  const { folder, operatorFile } = project;
  const operator = operatorText(folder, operatorFile);
  const answers = new Answers(values, terminal);
  const kind = await answers.text({ option: "kind", question: "Of which kind?", problemOf: kindProblem });
  const { names, subject } = await subjectOf(values, folder, kind);
  if (isSet(values, "conversion")) {
    const created = conversionFiles(names, subject.module, await definedResource(project, names));
    const added = {
      name: `${names.variable}Conversion`,
      from: importPath(operatorFile, `src/${names.file}-conversion.ts`),
      list: "conversions",
    } as const;
    return changeFolder(folder, { created, changed: { path: operatorFile, text: addToOperator(operator, added) } }, terminal, output);
  }
  const addition = {
    name: `${names.variable}Webhook`,
    from: importPath(operatorFile, `src/${names.file}-webhook.ts`),
    list: "webhooks",
  } as const;
  const changed = { path: operatorFile, text: addToOperator(operator, addition) };
  changeFolder(folder, { created: webhookFiles(names, subject, await dutiesOf(values, answers)), changed }, terminal, output);
}

/** The resource as the project defines it now. */
async function definedResource(project: Project, { kind, group }: KindNames): Promise<ResourceDefinition> {
  const { broughtResources } = await import("@kaji/manifests");
  const found = broughtResources(await loadOperator(project)).find(
    (resource) => resource.kind === kind && (group === "" || resource.group === group),
  );
  if (found !== undefined) return found;
  throw new CommandError(
    `the operator has no ${kind}${group === "" ? "" : ` (${group})`}; give it to a controller or webhook in ${project.operatorFile} first`,
  );
}

async function dutiesOf(values: OptionValues, answers: Answers): Promise<WebhookDuties> {
  const [defaulting, validation] = [isSet(values, "defaulting"), isSet(values, "validation")];
  if (defaulting || validation) return { defaulting, validation };
  const duty = await answers.choice("duty", "What does it do?", ["defaulting and validation", "defaulting", "validation"]);
  return { defaulting: duty !== "validation", validation: duty !== "defaulting" };
}

async function subjectOf(
  values: OptionValues,
  folder: string,
  kind: string,
): Promise<{ readonly names: KindNames; readonly subject: WebhookSubject }> {
  const { group } = values;
  const version = optionalText(values, "version") ?? "v1";
  const found = findProjectKinds(folder, kind).filter((each) => group === undefined || each.group === "" || each.group === group);
  const [first, ...others] = found;
  if (first !== undefined && others.length > 0)
    throw new UsageError(`several groups have a ${kind}: say --group ${found.map((each) => each.group).join(" or ")}`);
  if (first !== undefined) {
    const plain = kindNames({ ...first, kind });
    const names = isFileNamed(first, plain.file) ? plain : kindNames({ ...first, kind }, first.group.split(".", 1)[0]);
    return { names, subject: { module: `./${first.file}.ts`, scope: first.isExternal ? undefined : first.scope } };
  }
  const module = typeof group === "string" ? await builtInModule(group, version, kind) : undefined;
  if (module !== undefined) return { names: kindNames({ group: String(group), version, kind }), subject: { module, scope: undefined } };
  throw new CommandError(
    `the project has no ${kind} with export const ${kind} = defineResource(…) in src; kaji create api makes one, and kinds of Kubernetes need --group`,
  );
}

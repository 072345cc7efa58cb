import { unlessGone } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import { broughtResources } from "@kaji/manifests";
import type { OperatorDefinition } from "@kaji/runtime";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { accessRemedy, clusterFlags, clusterFlagsHelp, withCluster } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { ChangeReport } from "../deploy/change-report.ts";
import { waitUntil } from "../deploy/wait-until.ts";
import { isSet, listOf, oneOf, textOf } from "../option-values.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import { spanOf } from "../span-option.ts";
import { accessWords, refusedToUser } from "../user-access.ts";
import { accessToMigrate, migrationOf, migrateStorage } from "./storage-migration.ts";
import type { StorageMigration } from "./storage-migration.ts";
import { lookAtStorageVersion } from "./storage-version.ts";

/** `kaji migrate`: all objects in the version that is stored now, so that an older one can go. */
export const migrateCommand: Command = {
  help: `Usage: kaji migrate [KIND,KIND] [options]

Writes every object of the operator's resources anew, as it is, where the cluster has stored some in more than one version, and has the definition say that it stores the present one alone. After that
a version that is no longer wanted can be left out of the definition. Nothing of an object changes. Stopped half way, it can be run again.

Options:
  --kind KIND,KIND       only these (default: all resources of the operator)
  --project FOLDER       the operator's project (default: this folder)
${clusterFlagsHelp}  --dry-run              let the server check every write, and change nothing
  --timeout SPAN         how long to wait until the API server stores what the definition says (default 1m)
  --output FORMAT        text or json (default text)
  --verbose              show where an error comes from

Examples:
  kaji migrate --context staging
  kaji migrate WebSite --dry-run
`,
  positionals: ["kind"],
  options: {
    ...clusterFlags,
    kind: { type: "string" },
    project: { type: "string" },
    "dry-run": { type: "boolean" },
    timeout: { type: "string" },
    output: { type: "string" },
  },
  run: migrate,
};

async function migrate(values: OptionValues, terminal: Terminal): Promise<void> {
  using report = new ChangeReport(terminal, oneOf(values, "output", ["text", "json"]));
  const timeoutMs = spanOf(values, "timeout", "1m");
  const dryRun = isSet(values, "dry-run");
  const operator = await loadOperator(openProject(textOf(values, "project", ".")));
  const resources = chosenResources(operator, listOf(values, "kind"));
  await withCluster(values, { terminal, dryRun }, async (session) => {
    const migrations: StorageMigration[] = [];
    for (const resource of resources) {
      const definition = await unlessGone(
        session.client.get(CustomResourceDefinition, resource.crd().metadata, { signal: session.signal }),
      );
      const migration = definition === undefined ? undefined : migrationOf(definition);
      if (migration !== undefined) migrations.push(migration);
      else if (definition !== undefined) report.add("unchanged", definition, "its objects are stored in one version");
    }
    const refused = await refusedToUser(session, migrations.flatMap(accessToMigrate));
    if (refused.length > 0) throw new CommandError(`${session.cluster}: you may not ${accessWords(refused)}; ${accessRemedy}`);
    for (const migration of migrations) {
      await waitUntil(session, { report, timeoutMs, look: () => lookAtStorageVersion(session, migration) });
      report.add("changed", migration.definition, await migrateStorage(session, migration, report));
    }
    if (migrations.length === 0) return report.end("there is nothing to migrate");
    report.end(dryRun ? `${session.cluster} would take all of it` : `all objects on ${session.cluster} are stored in one version`);
  });
}

/** The resources of these kinds, or all. */
function chosenResources(operator: OperatorDefinition, kinds: readonly string[] | undefined): readonly ResourceDefinition[] {
  const resources = broughtResources(operator);
  const unknown = kinds?.find((kind) => !resources.some((resource) => resource.kind === kind));
  if (unknown !== undefined) {
    throw new CommandError(
      `${operator.name} has no resource ${unknown}; there is ${resources.map(({ kind }) => kind).join(", ") || "none"}`,
    );
  }
  return kinds === undefined ? resources : resources.filter(({ kind }) => kinds.includes(kind));
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../command.ts";
import { builtInApiFiles, customApiFiles, knownApiFiles, resourceFiles } from "./api-files.ts";
import { importPath } from "./import-path.ts";
import { kindNames } from "./kind-names.ts";
import type { KindNames } from "./kind-names.ts";
import type { FolderChange } from "./new-files.ts";
import { addToOperator } from "./operator-source.ts";
import { findProjectKinds, isFileNamed } from "./project-kind.ts";
import type { Scope } from "./project-kind.ts";

/** A kind that is to have a controller. */
export interface WantedApi extends Pick<KindNames, "group" | "kind" | "version"> {
  readonly scope: Scope;
  /** Where a kind of Kubernetes itself is imported from; undefined for a custom resource. */
  readonly module: string | undefined;
}

/** The project that an API is added to. */
interface ChangedProject {
  readonly folder: string;
  readonly operatorFile: string;
  /** The text of the operator's file. */
  readonly operator: string;
}

/** What adding a custom resource changes in a project that no controller of it looks after: other kinds use it. */
export function resourceChange(api: WantedApi, { folder, operatorFile, operator }: ChangedProject): FolderChange {
  const { kind, group, module } = api;
  const isOthers = module !== undefined || findProjectKinds(folder, kind).some((each) => each.isExternal && each.group === group);
  if (isOthers) throw new CommandError(`${kind} of ${group} is defined elsewhere, so that without a controller there is nothing to add`);
  const names = namesIn(folder, api);
  const from = importPath(operatorFile, `src/${names.file}.ts`);
  const text = addToOperator(operator, { name: names.kind, from, list: "resources" });
  return { created: resourceFiles(names, api.scope), changed: { path: operatorFile, text } };
}

/** What adding an API with its controller changes in a project. */
export function apiChange(api: WantedApi, { folder, operatorFile, operator }: ChangedProject): FolderChange {
  const names = namesIn(folder, api);
  const known = findProjectKinds(folder, api.kind).find((each) => each.group === api.group);
  const isNew = known === undefined || (known.isSample && known.file === names.file);
  const created = isNew ? newFiles(api, names) : knownApiFiles(names, known);
  const addition = {
    name: `${names.variable}Controller`,
    from: importPath(operatorFile, `src/${names.file}-controller.ts`),
    list: "controllers",
  } as const;
  return { created, changed: { path: operatorFile, text: addToOperator(operator, addition) } };
}

function newFiles({ module, scope }: WantedApi, names: KindNames): ReadonlyMap<string, string> {
  return module === undefined ? customApiFiles(names, scope) : builtInApiFiles(names, module);
}

/** The text of the operator's file. */
export function operatorText(folder: string, operatorFile: string): string {
  const path = join(folder, operatorFile);
  if (existsSync(path)) return readFileSync(path, "utf8");
  throw new CommandError(`${operatorFile} does not exist; run this in an operator's folder, or make one with kaji init NAME`);
}

/** Kinds of the same name in different groups go by their group, too. */
function namesIn(folder: string, { group, version, kind }: WantedApi): KindNames {
  const known = findProjectKinds(folder, kind);
  const same = known.find((each) => each.group === group);
  const names = kindNames({ group, version, kind });
  if (same === undefined) return known.length === 0 ? names : kindNames({ group, version, kind }, group.split(".", 1)[0]);
  if (same.version !== version) {
    if (same.isExternal)
      throw new CommandError(
        `src/${same.file}.ts has ${kind} in ${same.version}; kaji types SOURCE --version ${version} makes it anew in ${version}`,
      );
    throw new CommandError(
      `src/${same.file}.ts defines ${kind} in ${same.version}; give it ${version} there, under versions: { ${version}: { … } }`,
    );
  }
  return isFileNamed(same, names.file) ? names : kindNames({ group, version, kind }, group.split(".", 1)[0]);
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../command.ts";
import { builtInApiFiles, customApiFiles, externalApiFiles } from "./api-files.ts";
import type { Scope } from "./api-files.ts";
import { importPath } from "./import-path.ts";
import { kindNames } from "./kind-names.ts";
import type { KindNames } from "./kind-names.ts";
import type { FolderChange } from "./new-files.ts";
import { addToOperator } from "./operator-source.ts";
import { findProjectKinds } from "./project-kind.ts";

/** A kind that is to have a controller. */
export interface WantedApi extends Pick<KindNames, "group" | "kind" | "version"> {
  readonly scope: Scope;
  /** Where a kind of Kubernetes itself is imported from; undefined for a custom resource. */
  readonly module: string | undefined;
}

/** What adding an API changes in a project. `operator` is the text of the operator's file, at `operatorFile`. */
export function apiChange(
  api: WantedApi,
  { folder, operatorFile, operator }: { readonly folder: string; readonly operatorFile: string; readonly operator: string },
): FolderChange {
  const names = namesIn(folder, api);
  const external = findProjectKinds(folder, api.kind).find((each) => each.isExternal && each.group === api.group);
  const created = external === undefined ? ownFiles(api, names) : externalApiFiles(names, `./${external.file}.ts`);
  const addition = {
    name: `${names.variable}Controller`,
    from: importPath(operatorFile, `src/${names.file}-controller.ts`),
    list: "controllers",
  } as const;
  return { created, changed: { path: operatorFile, text: addToOperator(operator, addition) } };
}

function ownFiles({ module, scope }: WantedApi, names: KindNames): ReadonlyMap<string, string> {
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
  return same.file === names.file ? names : kindNames({ group, version, kind }, group.split(".", 1)[0]);
}

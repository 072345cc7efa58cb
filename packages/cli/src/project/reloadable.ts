import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OperatorDefinition } from "@kaji/runtime";
import { loadOperator } from "./load-operator.ts";
import type { Project } from "./project.ts";

/** The operator of a project whose sources change while it is loaded. */
export interface ReloadableOperator extends Disposable {
  /** The operator as its sources have it now. */
  load(): Promise<OperatorDefinition>;
}

/** Loads the operator of a project as often as wanted: each time all files of the project are read anew, but not what it has installed, of which only the metrics are forgotten. */
export function reloadable(project: Project): ReloadableOperator {
  const own = `${pathToFileURL(project.folder).href}/`;
  let generation = 0;
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const isSource = resolved.url.startsWith(own) && !resolved.url.includes("/node_modules/");
      return isSource ? { ...resolved, url: `${resolved.url}?generation=${generation}` } : resolved;
    },
  });
  return {
    load() {
      generation++;
      forgetMetrics(project);
      return loadOperator(project);
    },
    [Symbol.dispose]: () => hooks.deregister(),
  };
}

/** Empties the registries in which the last load has put its metrics: there no name is taken twice. */
function forgetMetrics({ folder }: Project): void {
  for (const from of [join(folder, "package.json"), import.meta.resolve("@kaji/runtime")]) {
    try {
      const { register }: { readonly register?: { clear(): void } } = createRequire(from)("prom-client");
      register?.clear();
    } catch {
      // Whoever does not find it has no metrics of its own there.
    }
  }
}

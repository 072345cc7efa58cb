import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import type { OperatorDefinition } from "@kaji/runtime";
import { loadOperator } from "./load-operator.ts";
import type { Project } from "./project.ts";

/** The operator of a project whose sources change while it is loaded. */
export interface ReloadableOperator extends Disposable {
  /** The operator as its sources have it now. */
  load(): Promise<OperatorDefinition>;
}

/** Loads the operator of a project as often as wanted: each time all files of the project are read anew, but not what it has installed. */
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
      return loadOperator(project);
    },
    [Symbol.dispose]: () => hooks.deregister(),
  };
}

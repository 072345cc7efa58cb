import type { PathHandler } from "./api-server.ts";
import { pageNotFound } from "./routing.ts";

/** Answers a path, with or without a slash at its end, and nothing below it. */
export function exactPath(path: string, handler: PathHandler): Readonly<Record<string, PathHandler>> {
  return {
    [path]: handler,
    [`${path}/`]: (context) => (context.info.path === `${path}/` ? handler(context) : pageNotFound()),
  };
}

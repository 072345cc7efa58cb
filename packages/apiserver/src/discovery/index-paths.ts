import type { PathHandler } from "../api-server.ts";
import type { KindRegistry } from "../kind-registry.ts";
import { indentedResponse } from "../response/api-response.ts";
import type { RemoteVersions } from "./remote-versions.ts";
import { servedGroups } from "./served-groups.ts";

/** Answers, at the root, which paths there are: those of the groups, and the other ones that are given. */
export function indexPaths(
  kinds: KindRegistry,
  remote: RemoteVersions,
  others: () => readonly string[],
): Readonly<Record<string, PathHandler>> {
  const index: PathHandler = () => {
    const groups = servedGroups(kinds, remote).flatMap(({ name, versions }) => [
      `/apis/${name}`,
      ...versions.map(({ version }) => `/apis/${name}/${version}`),
    ]);
    // What ends with a slash answers for what is below it, or is another's twin; of those a real server names two.
    const own = others().filter((path) => (!path.endsWith("/") && path !== "/index.html") || path === "/apis/" || path === "/openapi/v3/");
    const paths = [...own, "/api/v1", ...groups].toSorted();
    return indentedResponse(200, { paths });
  };
  return { "/": index, "/index.html": index };
}

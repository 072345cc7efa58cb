import { bytesResponse, textResponse } from "@kaji/apiserver";
import type { PathHandler, ServerVersion } from "@kaji/apiserver";
import { formatTime, refusal } from "@kaji/core";
import type { Clock } from "@kaji/core";

const warning =
  "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.";
const paths = ["/flagz", "/healthz", "/livez", "/metrics", "/readyz", "/statusz", "/version"];
const accepted = "only the following media types are accepted: application/json, application/yaml, text/plain";

/** `/statusz` and `/flagz`: since when the server runs, and which it is; and the flags that it was started with, of which it has none. */
export function debugPages(clock: Clock, { major, minor, gitVersion }: ServerVersion): Readonly<Record<string, PathHandler>> {
  const startMs = clock.now();
  const emulationVersion = `${major}.${minor}`;
  const binaryVersion = gitVersion.replace(/^v/, "");
  return {
    "/statusz": page("Statusz", {
      text: () => {
        const lines = [
          ["Started", new Date(startMs).toUTCString()],
          ["Up", elapsed(clock.now() - startMs)],
          ["Binary version", binaryVersion],
          ["Emulation version", emulationVersion],
          ["Paths", paths.join(" ")],
        ];
        return `\n${lines.map((words) => words.join("  ")).join("\n")}\n`;
      },
      fields: () => {
        const uptimeSeconds = Math.floor((clock.now() - startMs) / 1000);
        return { startTime: formatTime(startMs), uptimeSeconds, goVersion: "", binaryVersion, emulationVersion, paths };
      },
    }),
    "/flagz": page("Flagz", { text: () => "", fields: () => ({ flags: {} }) }),
  };
}

interface PageContent {
  readonly text: () => string;
  readonly fields: () => object;
}

/** For people by default; for programs that ask for a version of it, JSON. */
function page(kind: "Statusz" | "Flagz", { text, fields }: PageContent): PathHandler {
  const name = kind.toLowerCase();
  return ({ headers }) => {
    for (const clause of (headers["accept"] ?? "*/*").split(",")) {
      const [type = "", ...parameters] = clause.split(";").map((part) => part.trim());
      if (type === "text/plain" || type === "*/*") return textResponse(200, `\napiserver ${name}\n${warning}\n${text()}`);
      const version = ["v1beta1", "v1alpha1"].find((each) => parameters.includes(`v=${each}`));
      const isAsked = parameters.includes("g=config.k8s.io") && parameters.includes(`as=${kind}`);
      if (type !== "application/json" || !isAsked || version === undefined) continue;
      const value = { kind, apiVersion: `config.k8s.io/${version}`, metadata: { name: "apiserver" }, ...fields() };
      const response = bytesResponse(
        200,
        `application/json;g=config.k8s.io;v=${version};as=${kind}`,
        Buffer.from(`${JSON.stringify(value)}\n`),
      );
      if (version === "v1beta1") return response;
      const deprecated = `299 - "This version of the ${name} endpoint is deprecated. Please use a newer version."`;
      return { ...response, headers: { ...response.headers, warning: deprecated } };
    }
    throw refusal("NotAcceptable", accepted);
  };
}

function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value % 60).padStart(2, "0");
  return `${Math.floor(seconds / 3600)} hr ${two(Math.floor(seconds / 60))} min ${two(seconds)} sec`;
}

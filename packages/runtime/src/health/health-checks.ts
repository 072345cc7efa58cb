import { thrownError } from "@kaji/core";
import type { HttpRequest } from "../manager/http-server.ts";
import type { HttpReply } from "../manager/http-reply.ts";
import { textReply } from "../manager/http-reply.ts";

/** The result of a check: healthy, perhaps with a note, or not, with the reason. */
export type Health = { readonly ok: true; readonly note?: string | undefined } | { readonly ok: false; readonly reason: string };

/** One health check, such as `ping`. */
export interface HealthCheck {
  readonly name: string;
  check(): Health;
}

/** The checks of one path, such as `/readyz`, as they are at the moment. */
export type HealthChecks = () => Iterable<HealthCheck>;

/**
 * Answers `/healthz` and the like as API servers do: `ok`, or the whole list if `?verbose` or if something is wrong. `?exclude=NAME` leaves a check out; `/healthz/NAME` is that check alone.
 */
export function answerHealth(paths: Readonly<Record<string, HealthChecks>>, { path, query }: HttpRequest): HttpReply {
  const [, endpoint = "", single] = /^\/([^/]+)(?:\/(.*))?$/.exec(path) ?? [];
  const checks = Object.hasOwn(paths, endpoint) ? paths[endpoint] : undefined;
  if (checks === undefined) return textReply(404, "404 page not found\n");
  const all = [...checks()];
  if (single !== undefined && single !== "") {
    const found = all.find(({ name }) => name === single);
    if (found === undefined) return textReply(404, "404 page not found\n");
    const health = safely(found);
    return health.ok ? textReply(200, "ok") : textReply(500, `internal server error: ${health.reason}\n`);
  }
  return answerAll(endpoint, all, query);
}

function answerAll(endpoint: string, checks: readonly HealthCheck[], query: URLSearchParams): HttpReply {
  const excluded = new Set(query.getAll("exclude"));
  const lines: string[] = [];
  let isWell = true;
  for (const check of checks) {
    if (excluded.delete(check.name)) {
      lines.push(`[+]${check.name} excluded: ok`);
      continue;
    }
    const health = safely(check);
    isWell &&= health.ok;
    if (health.ok) lines.push(`[+]${check.name} ok${health.note === undefined ? "" : ` (${health.note})`}`);
    else lines.push(`[-]${check.name} failed: ${health.reason}`);
  }
  for (const name of excluded) lines.push(`warn: some health checks cannot be excluded: no matches for ${JSON.stringify(name)}`);
  if (isWell && !query.has("verbose")) return textReply(200, "ok");
  return textReply(isWell ? 200 : 500, `${[...lines, `${endpoint} check ${isWell ? "passed" : "failed"}`].join("\n")}\n`);
}

function safely(check: HealthCheck): Health {
  try {
    return check.check();
  } catch (error) {
    return { ok: false, reason: thrownError(error).message };
  }
}

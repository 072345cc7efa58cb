import { bodyText, stringifyJson } from "@kaji/core";
import type { Transport, TransportResponse } from "@kaji/core";
import { parseBody } from "./answer-body.ts";
import type { Answer, Exchange, Scenario, Step } from "./exchange.ts";
import { OpenStreams } from "./open-streams.ts";
import { eager } from "./pace.ts";
import type { Pace } from "./pace.ts";
import { resolved } from "./step-references.ts";

/** Sends the requests of a scenario one after the other. */
export async function play({ steps }: Scenario, send: Transport, pace: Pace = eager): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  await using streams = new OpenStreams(pace);
  for (const request of steps) {
    const answers = exchanges.map(({ answer }) => answer);
    const answer = await askUntil(resolved(request, answers), send, pace, streams);
    exchanges.push({ request, answer });
  }
  const lines = await streams.close();
  return exchanges.map((exchange) => ({
    ...exchange,
    answer: { ...exchange.answer, body: lines.get(exchange.answer) ?? exchange.answer.body },
  }));
}

/** A server that does something in its own time gets this many chances. */
const mostTries = 100;

async function askUntil(step: Step, send: Transport, pace: Pace, streams: OpenStreams): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask(step, send, pace, streams);
    if (step.until === undefined || stringifyJson([answer.warnings ?? [], answer.body]).includes(step.until)) return answer;
    if (tries === mostTries)
      throw new Error(`${step.method} ${step.path} never answered with ${step.until}: ${stringifyJson(answer.body)}`);
    await pace.quiet();
  }
}

async function ask(step: Step, send: Transport, pace: Pace, streams: OpenStreams): Promise<Answer> {
  const { method, path, headers = {} } = step;
  const body = bodyOf(step);
  const leaving = new AbortController();
  const response = await pace.whileWaiting(
    send({
      method,
      path,
      headers: {
        accept: "application/json",
        "user-agent": "record/1",
        ...(body === undefined ? {} : { "content-type": contentType(method) }),
        ...headers,
      },
      body,
      signal: leaving.signal,
    }),
  );
  const isLive = step.live === true && response.status === 200;
  const answer = { status: response.status, ...notable(response.headers), body: "" };
  if (!isLive) return { ...answer, body: parseBody(await pace.whileWaiting(bodyText(response.body))) };
  streams.open(answer, response.body, leaving);
  return answer;
}

function bodyOf({ body, bytes }: Step): Uint8Array | undefined {
  if (bytes !== undefined) return Buffer.from(bytes, "base64");
  if (body === undefined) return undefined;
  return new TextEncoder().encode(typeof body === "string" ? body : stringifyJson(body));
}

/** What every answer has is not worth a word. */
const usualHeaders: Readonly<Record<string, string>> = { "content-type": "application/json", "cache-control": "no-cache, private" };
const notableHeaders = ["content-type", "cache-control", "retry-after", "location", "vary", "allow"];

function notable(headers: TransportResponse["headers"]): Pick<Answer, "warnings" | "headers"> {
  const warnings = [headers["warning"] ?? []].flat();
  const shown = notableHeaders.flatMap((name): [string, string][] => {
    const value = [headers[name] ?? []].flat().join(", ");
    return value === "" || value === usualHeaders[name] ? [] : [[name, value]];
  });
  return {
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(shown.length === 0 ? {} : { headers: Object.fromEntries(shown) }),
  };
}

function contentType(method: Step["method"]): string {
  return method === "PATCH" ? "application/merge-patch+json" : "application/json";
}

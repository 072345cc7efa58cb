import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { LiveMessage, LogMessage } from "../page/live-message.ts";
import type { PageFile } from "./page-files.ts";
import { securityHeaders } from "./security-headers.ts";

/** Answers with a sentence. */
export function answerText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...securityHeaders, "content-type": "text/plain; charset=utf-8" });
  response.end(`${text}\n`);
}

/** Answers with a file of the page. */
export function answerFile(response: ServerResponse, { type, body }: PageFile): void {
  response.writeHead(200, { ...securityHeaders, "content-type": type, "content-length": body.byteLength });
  response.end(body);
}

const streamHeaders = { ...securityHeaders, "content-type": "application/x-ndjson; charset=utf-8" };

/** Answers as with messages, of which there are none. */
export function answerStreamHead(response: ServerResponse): void {
  response.writeHead(200, streamHeaders).end();
}

/** Answers with messages, a line each, as they come, and asks for no more of them than the page takes in. */
export async function answerStream(
  response: ServerResponse,
  stream: AsyncIterable<readonly (LiveMessage | LogMessage)[]>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, streamHeaders);
  for await (const messages of stream) {
    const hasRoom = response.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    if (!hasRoom) await once(response, "drain", { signal }).catch(() => undefined);
    if (signal.aborted) break;
  }
  response.end();
}

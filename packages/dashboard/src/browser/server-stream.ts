import { storedToken } from "./token.ts";

/** Why there is no more to be heard: the server does not know this page, or for now. */
export interface StreamEnd {
  readonly type: "Refused" | "Broken";
  readonly why: string;
}

/** Asks the dashboard's server, and tells the lines of its answer as they come; those that came together are told together. */
export async function readStream(path: string, onLines: (lines: readonly string[]) => void, signal: AbortSignal): Promise<StreamEnd> {
  let why = "the dashboard has stopped, or cannot be reached";
  try {
    const response = await fetch(path, { headers: { authorization: `Bearer ${storedToken()}` }, signal });
    if (response.status === 401) return { type: "Refused", why: await response.text() };
    if (!response.ok) why = (await response.text()).trim();
    else if (response.body !== null) await read(response.body, onLines);
  } catch {
    // Whatever it is, whoever asked says it and tries again.
  }
  return { type: "Broken", why };
}

async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>, onLines: (lines: readonly string[]) => void): Promise<void> {
  let rest = "";
  for (const reader = body.pipeThrough(new TextDecoderStream()).getReader(); ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    onLines(lines);
  }
}

import type { HttpHandler, HttpRequest } from "../manager/http-server.ts";
import type { HttpReply } from "../manager/http-reply.ts";
import { textReply } from "../manager/http-reply.ts";
import type { AccessReview } from "./access-review.ts";
import type { Metrics } from "./metrics.ts";

/** Who is answered, and what else than metrics is served. */
export interface AnswerOptions {
  /** Default: everybody is answered. */
  readonly review?: AccessReview | undefined;
  /** By path. Default: none. */
  readonly handlers?: Readonly<Record<string, HttpHandler>> | undefined;
}

/** Answers `/metrics` and what is served beside it; with an access review, only to users whose roles allow get on that path. */
export async function answerMetrics(
  metrics: Pick<Metrics, "text">,
  request: HttpRequest,
  { review, handlers = {} }: AnswerOptions = {},
): Promise<HttpReply> {
  const { path, bearerToken } = request;
  const handler = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
  if (path !== "/metrics" && handler === undefined) return textReply(404, "404 page not found\n");
  switch ((await review?.check(bearerToken, path)) ?? "Allowed") {
    case "Unauthenticated":
      return textReply(401, "Unauthorized\n");
    case "Forbidden":
      return textReply(403, "Forbidden\n");
    case "Allowed":
      return handler === undefined ? { status: 200, ...(await metrics.text()) } : handler(request);
  }
}

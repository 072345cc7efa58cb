import type { HttpQuestion, HttpReply } from "../manager/http-server.ts";
import type { AccessReview } from "./access-review.ts";
import type { Metrics } from "./metrics.ts";

/** Answers `/metrics`; with an access review, only to users whose roles allow get on that path. */
export async function answerMetrics(metrics: Pick<Metrics, "text">, question: HttpQuestion, review?: AccessReview): Promise<HttpReply> {
  const { path, bearerToken } = question;
  if (path !== "/metrics") return plain(404, "404 page not found\n");
  switch ((await review?.check(bearerToken, path)) ?? "Allowed") {
    case "Unauthenticated":
      return plain(401, "Unauthorized\n");
    case "Forbidden":
      return plain(403, "Forbidden\n");
    case "Allowed":
      return { status: 200, ...(await metrics.text()) };
  }
}

function plain(status: number, body: string): HttpReply {
  return { status, contentType: "text/plain; charset=utf-8", body };
}

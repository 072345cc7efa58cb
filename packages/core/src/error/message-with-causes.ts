import { errorMessage } from "./error-message.ts";
/** So many causes are told of an error whose causes go on for ever. */
const mostCauses = 5;

/** What an error says, and then what its causes say beyond that: `fetch failed: connect ECONNREFUSED 127.0.0.1:8080`. */
export function messageWithCauses(error: Error): string {
  let text = error.message;
  let cause = causeOf(error);
  for (let told = 0; cause !== undefined && told < mostCauses; told++, cause = causeOf(cause)) {
    const more = ownMessage(cause);
    if (!text.includes(more)) text = text === "" ? more : `${text}: ${more}`;
  }
  return text;
}

/** Several attempts that failed, such as at each address of a host, are an error without a message of its own. */
function ownMessage(error: Error): string {
  if (error.message !== "" || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((each: unknown) => errorMessage(each)).join(", ");
}

function causeOf(error: Error): Error | undefined {
  try {
    const { cause } = error;
    return cause instanceof Error && typeof cause.message === "string" ? cause : undefined;
  } catch {
    // Whoever made the error may have made it so that it cannot be read.
    return undefined;
  }
}

import { confirm, isCancel, select, text } from "@clack/prompts";
import { CancelledError } from "./prompt.ts";
import type { Prompt } from "./prompt.ts";

/** Asks on the terminal of this process. */
export const clackPrompt: Prompt = {
  async text({ question, initial, problemOf }) {
    const answer = await text({
      message: question,
      ...(initial === undefined ? {} : { placeholder: initial, defaultValue: initial }),
      validate: (value = "") => problemOf(value === "" && initial !== undefined ? initial : value),
    });
    return answered<string>(answer);
  },
  async confirm(question) {
    return answered<boolean>(await confirm({ message: question, initialValue: false }));
  },
  async choose(question, choices) {
    const options: { label: string; value: string }[] = choices.map((value) => ({ label: value, value }));
    const chosen = answered<string>(await select({ message: question, options }));
    const choice = choices.find((each) => each === chosen);
    if (choice === undefined) throw new CancelledError();
    return choice;
  },
};

function answered<T extends string | boolean>(answer: T | symbol): T {
  if (typeof answer === "symbol" || isCancel(answer)) throw new CancelledError();
  return answer;
}

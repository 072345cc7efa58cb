import { CancelledError } from "../prompt.ts";
import type { Prompt } from "../prompt.ts";

/** A prompt that gives the answers of a script, by the first words of the question, and remembers what was asked. */
export function scriptedPrompt(answers: Readonly<Record<string, string | boolean>>): Prompt & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  const answerTo = (question: string): string | boolean => {
    asked.push(question);
    const key = Object.keys(answers).find((each) => question.startsWith(each));
    const answer = key === undefined ? undefined : answers[key];
    if (answer === undefined) throw new CancelledError();
    return answer;
  };
  return {
    asked,
    async text({ question, initial, problemOf }) {
      const given = String(answerTo(question));
      const answer = given === "" ? (initial ?? "") : given;
      const problem = problemOf(answer);
      if (problem !== undefined) throw new TypeError(`${question}: ${problem}`);
      return answer;
    },
    async confirm(question) {
      return answerTo(question) === true;
    },
    async choose(question, choices) {
      const answer = answerTo(question);
      return choices.find((choice) => choice === answer) ?? Promise.reject(new TypeError(`${question}: ${answer} is no choice`));
    },
  };
}

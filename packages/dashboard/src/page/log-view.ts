import type { ContainerLine, ObjectDetail } from "./live-message.ts";
import { isCut, shownLine } from "./log-state.ts";
import type { LogState } from "./log-state.ts";
import { element } from "./markup.ts";
import type { Child, Markup } from "./markup.ts";
import { remembered } from "./remembered.ts";
import type { Route } from "./route.ts";

/** Whose log is read, as the server is asked for it. */
export interface WantedLog {
  /** The key of the Pod. */
  readonly pod: string;
  readonly container: string;
  readonly isPrevious: boolean;
  /** Which of its runs: another one has another log. */
  readonly run: string | undefined;
}

/** What a log asks for when it is used. */
export interface LogActions {
  /** Another log was chosen, or none. */
  readonly choose: (choice: Pick<Route, "log">) => void;
  readonly readAgain: () => void;
}

/** The log that the address asks for, as far as the Pod has it. */
export function wantedLog(object: ObjectDetail | "Unknown" | undefined, { object: pod, log }: Route): WantedLog | undefined {
  if (object === "Unknown" || object === undefined || pod === undefined || log === undefined) return undefined;
  const { container, isPrevious } = log;
  const found = object.containers.find(({ name }) => name === container);
  return found && { pod, container, isPrevious, run: isPrevious ? found.previousRun : found.run };
}

/** The containers of a Pod to choose from, and the log of the chosen one. */
export function logView(
  containers: readonly ContainerLine[],
  log: LogState,
  { route, actions }: { readonly route: Route; readonly actions: LogActions },
): readonly Markup[] {
  const chosen = containers.find(({ name }) => name === route.log?.container);
  const choice = element("p", { key: "choice", class: "choice" }, ...choices({ containers, chosen, route, actions }));
  if (chosen === undefined || route.log === undefined) return [choice];
  const label = `Log of ${chosen.name}`;
  const lines = log.blocks.map((block) =>
    rememberedBlock(block, "", () => element("span", { key: String(block.id) }, block.lines.map((line) => `${line}\n`).join(""))),
  );
  const begun = log.begun === "" ? undefined : element("span", { key: "begun" }, shownLine(log.begun));
  const text = [...lines, begun];
  const isEmpty = lines.length === 0 && begun === undefined;
  return [
    choice,
    ...(isCut(log) ? [element("p", { key: "cut", class: "dim" }, "Older lines are not kept.")] : []),
    ...(isEmpty
      ? []
      : [
          element(
            "pre",
            {
              key: `${chosen.name} ${route.log.isPrevious}`,
              class: "log",
              with: { id: "log", tabindex: "0", role: "log", "aria-label": label },
            },
            ...text,
          ),
        ]),
    element("p", { key: "state", class: log.link.type === "Failed" ? "problem" : "dim" }, ...linkView(log, isEmpty, actions)),
  ];
}

const rememberedBlock = remembered();

interface Choices {
  readonly containers: readonly ContainerLine[];
  readonly chosen: ContainerLine | undefined;
  readonly route: Route;
  readonly actions: LogActions;
}

function choices({ containers, chosen, route: { log }, actions: { choose } }: Choices): readonly Markup[] {
  const button = (text: string, isPressed: boolean, next: Route["log"]): Markup =>
    element(
      "button",
      { key: text, with: { type: "button", "aria-pressed": String(isPressed) }, on: { click: () => choose({ log: next }) } },
      text,
    );
  const names = containers.map(({ name }) =>
    button(name, name === chosen?.name, name === chosen?.name ? undefined : { container: name, isPrevious: false }),
  );
  if (chosen === undefined || log === undefined) return names;
  const hasPrevious = chosen.previousRun !== undefined && chosen.previousRun !== chosen.run;
  if (!hasPrevious && !log.isPrevious) return names;
  return [...names, button("the run before", log.isPrevious, { ...log, isPrevious: !log.isPrevious })];
}

function linkView({ link }: LogState, isEmpty: boolean, { readAgain }: LogActions): readonly Child[] {
  switch (link.type) {
    case "Opening":
      return ["…"];
    case "Open":
      return [
        isEmpty
          ? "Nothing has been written so far. A Pod that only seems to run, as in kaji up without --image, writes nothing."
          : "Following.",
      ];
    case "Ended":
      return [isEmpty ? "Nothing was written." : "The log ends here."];
    case "Failed":
      return [`${link.why} `, element("button", { with: { type: "button" }, on: { click: readAgain } }, "Try again")];
  }
}

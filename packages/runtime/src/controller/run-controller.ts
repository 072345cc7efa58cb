import type { ControllerEnvironment } from "./controller-environment.ts";
import { ControllerRun } from "./controller-run.ts";
import type { Controller } from "../declare/define-controller.ts";
import type { RunningController } from "./running-controller.ts";

/** Puts a controller into an environment; `run` lets it work. */
export function runController(controller: Controller, environment: ControllerEnvironment): RunningController {
  return new ControllerRun(controller, environment);
}

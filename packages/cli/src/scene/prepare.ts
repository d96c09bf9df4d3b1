/**
 * Prepares a run of `navkiln crowd FILE.yaml`: from the scene file to everything the run needs. Reports notes
 * as they occur.
 */
import { crowdRuns } from 'navkiln/debug';
import type { CrowdRun, CrowdRunResult } from 'navkiln/debug';
import { bakeScene } from './bake.ts';
import type { BakeSceneOptions } from './bake.ts';
import { createSceneRun } from './drive.ts';
import type { SceneDriver, SceneRun } from './drive.ts';
import { castScene, requireAgents } from './people.ts';
import type { Errand, SceneCast } from './people.ts';
import { readSceneFile } from './read.ts';

export interface PrepareSceneOptions extends BakeSceneOptions {
  /** Default: the scene's seed, or 1. */
  seed: number | undefined;
  agents: number | undefined;
}

export interface PreparedScene extends SceneRun {
  seed: number;
  driver: SceneDriver;
  /** Returns violated expectations at the end of a run, as text. */
  listBroken: (run: CrowdRun, report: CrowdRunResult) => string[];
  /** True when some goals move, so that walked lengths cannot be compared with shortest ones. */
  isChase: boolean;
  /** How often each event has happened. */
  details: () => object;
}

/** Throws an `InputError` when the file is invalid or has nobody to run. */
export async function prepareScene(path: string, options: PrepareSceneOptions): Promise<PreparedScene> {
  const document = readSceneFile(path);
  requireAgents(document);
  const seed = options.seed ?? document.scene.seed ?? 1;
  const mesh = await bakeScene(document, options);
  const cast = castScene(document, mesh, { seed, note: options.note, agents: options.agents });
  const run = createSceneRun(document.scene, mesh, cast);
  const expected = cast.people.map(({ mustArrive }) => mustArrive);
  const driver = run.createDriver(1 / 60);
  return {
    ...run,
    seed,
    driver,
    isChase: cast.people.some(({ errand }) => isAfterMoving(errand, cast)),
    details: () => ({ events: driver.events }),
    listBroken({ frame }, report) {
      const those = expected.flatMap((must, i) => (must && frame.state[i] !== crowdRuns.BODY_GONE ? [i] : []));
      const there = those.filter((i) => crowdRuns.isAtRest(frame.state[i])).length;
      // Followers of a moving target need not arrive. How close many agents can get to one point depends on
      // the walls around it.
      const resting = report.arrived + report.settled;
      const rest = crowdRuns.listBrokenPromises({ ...report, agents: resting, atGoal: resting });
      if (there === those.length) return rest;
      const { gaveUp, stuck } = report;
      return [`${there} of ${those.length} reached their goals; ${gaveUp} gave up, ${stuck} are stuck`, ...rest];
    },
  };
}

function isAfterMoving(errand: Errand, { targets }: SceneCast): boolean {
  return errand.kind === 'agent' || (errand.kind === 'target' && targets[errand.target]?.path !== undefined);
}

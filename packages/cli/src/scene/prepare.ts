/** `navkiln crowd FILE.yaml`: a scene file -> all that a run needs, with what there is to say told as it is found. */
import { BODY_GONE, isAtRest, listBrokenPromises } from '../library.ts';
import type { CrowdRun, CrowdRunResult } from '../library.ts';
import { bakeScene } from './bake.ts';
import type { BakeSceneOptions } from './bake.ts';
import { createSceneRun } from './drive.ts';
import type { SceneDriver, SceneRun } from './drive.ts';
import { castScene, requireAgents } from './people.ts';
import type { Errand, SceneCast } from './people.ts';
import { readSceneFile } from './read.ts';

export interface PrepareSceneOptions extends BakeSceneOptions {
  /** Default: the scene's, or 1. */
  seed: number | undefined;
  agents: number | undefined;
}

export interface PreparedScene extends SceneRun {
  seed: number;
  driver: SceneDriver;
  /** What is not as it should be in the end, in words. */
  listBroken: (run: CrowdRun, report: CrowdRunResult) => string[];
  /** Somebody goes after what moves: nobody's way can be held against the one there was at first. */
  isChase: boolean;
  /** How often each event has happened. */
  details: () => object;
}

/** Throws an `InputError` when the file is none or there is nobody to run. */
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
      const those = expected.flatMap((must, i) => (must && frame.state[i] !== BODY_GONE ? [i] : []));
      const there = those.filter((i) => isAtRest(frame.state[i])).length;
      // Who follows what never rests need not come; and how near many can stand to one place depends on the walls around it.
      const resting = report.arrived + report.settled;
      const rest = listBrokenPromises({ ...report, agents: resting, atGoal: resting });
      if (there === those.length) return rest;
      const { gaveUp, stuck } = report;
      return [
        `${there} of ${those.length} have come to where they were sent; ${gaveUp} gave up, ${stuck} are stuck`,
        ...rest,
      ];
    },
  };
}

function isAfterMoving(errand: Errand, { targets }: SceneCast): boolean {
  return errand.kind === 'agent' || (errand.kind === 'target' && targets[errand.target]?.path !== undefined);
}

/**
 * The people of a scene file as a session: characters, targets that stand and move, links. A tick does what
 * `navkiln crowd` does with the same file and mesh. What characters and targets hold is not in a crowd's
 * save, so going back begins anew and does all ticks and orders again. Loaded when a scene file is open.
 */
import { listLinks, removeLink } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { castScene, createSceneRun, parseSceneText } from 'navkiln-cli/scene';
import type { SceneCast, SceneFile } from 'navkiln-cli/scene';
import type { AgentId } from 'navkiln/crowd';
import { startCrowdRun } from 'navkiln/debug';
import { sceneLinks } from '../files/scene-text.ts';
import type { Edits, SceneFileData } from '../state/state.ts';
import type { CrowdSession } from './session.ts';

const STEP_SECONDS = 1 / 60;
const DEFAULT_SEED = 1;

/** undefined: there are no people in it. `note` is told who was left out, and why. */
export function startSceneSession(
  { name, text }: SceneFileData,
  edits: Edits,
  navMesh: NavMesh,
  note: (message: string) => void,
): CrowdSession | undefined {
  const document = parseSceneText(text, name);
  if ((document.scene.agents ?? []).length === 0) return undefined;
  const scene = { ...document.scene, links: sceneLinks(edits.links, document.scene.links ?? []) };
  const mesh = structuredClone(navMesh);
  // The cast brings its own, which are those of the bake with how they are used.
  for (const ref of listLinks(mesh)) removeLink(mesh, ref);
  const cast = castScene({ ...document, scene }, mesh, { seed: scene.seed ?? DEFAULT_SEED, note });
  return fresh(scene, mesh, cast);
}

function fresh(scene: SceneFile, mesh: NavMesh, cast: SceneCast): CrowdSession {
  const { setup, world, createDriver } = createSceneRun(scene, mesh, cast);
  const driver = createDriver(STEP_SECONDS);
  startCrowdRun(setup, { unmeasured: true }, world, driver);
  const { crowd, ids } = driver;
  return {
    crowd,
    setup,
    ids: ids as AgentId[],
    nextStep: 0,
    prepared: [],
    tickMs: [],
    scene: {
      orders: [],
      step: () => driver.step(),
      release: (id) => {
        const index = ids.indexOf(id);
        if (index >= 0) driver.stop(index);
      },
      again: () => fresh(scene, mesh, cast),
    },
  };
}

/**
 * The session of a scene file: characters, targets and links. A tick does the same as `navkiln crowd` with
 * the same file and mesh. A save of the crowd does not contain the state of characters and targets, so going
 * back restarts the scene and repeats all ticks and commands. Loaded when a scene file is open.
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

/**
 * Returns undefined when the scene has no agents. Calls `note` with the reason for each agent that is left
 * out.
 */
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
  // The scene adds its links again, with their capacities and durations.
  for (const ref of listLinks(mesh)) removeLink(mesh, ref);
  const cast = castScene({ ...document, scene }, mesh, { seed: scene.seed ?? DEFAULT_SEED, note });
  return createSession(scene, mesh, cast);
}

function createSession(scene: SceneFile, mesh: NavMesh, cast: SceneCast): CrowdSession {
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
      restart: () => createSession(scene, mesh, cast),
    },
  };
}

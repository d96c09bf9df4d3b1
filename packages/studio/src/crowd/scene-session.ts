/**
 * The session of a scene: characters, targets and links. A tick does the same as `navkiln crowd` with the saved
 * file. A save of the crowd does not contain the state of characters and targets, so going back restarts the
 * scene and repeats all ticks and commands. Loaded when there is a scene.
 */
import { isEnabled, listLinks, listNames, loadNavMesh, removeLink, saveNavMesh, setEnabled } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { castScene, createSceneRun, parseSceneText } from 'navkiln-cli/scene';
import type { SceneCast, SceneFile, ScenePoint } from 'navkiln-cli/scene';
import type { AgentId } from 'navkiln/crowd';
import { crowdRuns } from 'navkiln/debug';
import { runnableText } from '../files/scene-text.ts';
import type { StudioState } from '../state/state.ts';
import type { CrowdSession, SceneDriver } from './session.ts';

const STEP_SECONDS = 1 / 60;
const DEFAULT_SEED = 1;

/**
 * Returns undefined when the scene has no agents. With `isLive`, the agents are on the mesh itself and not on a copy. Calls `note` with the reason for each agent that is left
 * out. Throws an `InputError` for a scene that cannot run.
 */
export function startSceneSession(
  state: StudioState,
  navMesh: NavMesh,
  note: (message: string) => void,
  isLive = false,
): CrowdSession | undefined {
  const document = parseSceneText(runnableText(state), state.sceneFile?.name ?? 'scene.yaml');
  const { scene } = document;
  if ((scene.agents ?? []).length === 0) return undefined;
  const own = isLive ? navMesh : structuredClone(navMesh);
  // The scene adds its links again, with their capacities and durations.
  for (const ref of listLinks(own)) removeLink(own, ref);
  // The command line runs on a mesh that it has loaded: the same numbers in the same order. A live world keeps its mesh.
  const mesh = isLive ? own : loadNavMesh(saveNavMesh(own));
  const cast = castScene(document, mesh, { seed: scene.seed ?? DEFAULT_SEED, note });
  return createSession(scene, mesh, cast);
}

function createSession(scene: SceneFile, mesh: NavMesh, cast: SceneCast): CrowdSession {
  const { setup, world, createDriver } = createSceneRun(scene, mesh, cast);
  const driver = createDriver(STEP_SECONDS);
  const run = crowdRuns.startCrowdRun(setup, { unmeasured: true }, world, driver);
  const { crowd, ids } = driver;
  const names = listNames(mesh).map((name) => [name, isEnabled(mesh, name)] as const);
  const own: SceneDriver = {
    orders: [],
    hasEnded: false,
    step() {
      if (own.hasEnded) driver.step();
      else if (!crowdRuns.stepCrowdRun(run)) own.hasEnded = true;
    },
    release(id) {
      const index = ids.indexOf(id);
      if (index >= 0) driver.stop(index);
    },
    restart() {
      for (const [name, isOn] of names) setEnabled(mesh, name, isOn);
      return createSession(scene, mesh, cast);
    },
    targetPlaces: driver.targetPlaces,
    canMove: (target) => cast.targets[target]?.position !== undefined,
    moveTarget: (target, [x, y, z]) => driver.moveTarget(target, [x, y, z] as ScenePoint),
  };
  return { crowd, setup, ids: ids as AgentId[], nextStep: 0, prepared: [], tickMs: [], scene: own };
}

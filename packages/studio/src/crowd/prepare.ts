/** Creates the session that the state needs: of a scene file, of a crowd scene, or an empty crowd. */
import type { NavMesh } from 'navkiln';
import { findCrowdEntry } from '../scenes/crowd-scenes.ts';
import { createSetup } from '../scenes/crowd-setup.ts';
import { messageOf } from '../state/message-of.ts';
import { sceneOf } from '../state/scene.ts';
import { setSession } from './run.ts';
import type { CrowdRun } from './run.ts';
import { moveSession, startSession } from './session.ts';
import type { CrowdSession } from './session.ts';

/** The topic of messages about agents that a scene leaves out. */
const SCENE_TOPIC = 'scene';

/** Creates a session, unless the current one still fits the mesh. */
export function prepare(run: CrowdRun): void {
  const { session, madeFrom, context } = run;
  const { store } = context;
  const { mesh, source } = store.get();
  const sceneNow = sceneOf(store.get());
  if (mesh === undefined) {
    run.madeFrom = undefined;
    if (session !== undefined) setSession(run, undefined);
    return;
  }
  const { navMesh } = mesh;
  const liveMesh = run.live?.live.world.navMesh;
  if (liveMesh !== undefined && liveMesh !== navMesh) {
    run.live!.hide();
    run.live = undefined;
    context.say('info', 'The mesh was rebuilt without the obstacles.');
  }
  const isLive = run.live !== undefined;
  const isSameScene =
    madeFrom === undefined ||
    madeFrom.scene === sceneNow ||
    (sceneNow.agents.length === 0 && madeFrom.scene?.agents.length === 0);
  const isSameMesh = session !== undefined && (navMesh === session.crowd.mesh || navMesh === madeFrom?.mesh);
  if (isSameMesh && isSameScene) return;
  // The mesh of the page may be that of the crowd, with its changes.
  const base = isSameMesh && madeFrom !== undefined ? madeFrom.mesh : navMesh;
  run.madeFrom = { mesh: base, source, scene: sceneNow };
  if (madeFrom?.source !== source) run.isFree = false;
  if (sceneNow.agents.length > 0 && !run.isFree) {
    if (run.sceneCode === undefined) return loadSceneCode(run);
    if (startScene(run, base, isLive)) return;
  }
  const entry = run.isFree || (isLive && session !== undefined) ? undefined : findCrowdEntry(source);
  const scene =
    entry === undefined || source?.kind !== 'scene' ? undefined : createSetup(entry.name, source.seed, source.scale);
  const isOwn = session?.setup === undefined || isLive;
  const isRebake = session !== undefined && isOwn && madeFrom?.source === source;
  if (scene !== undefined) setSession(run, startSession(base, scene.setup));
  else {
    const keepsScene = isLive && session !== undefined;
    const next = isRebake ? moveSession(session, base, keepsScene) : startSession(base);
    setSession(run, isLive ? { ...next, isLive } : next);
    if (isLive && next.setup !== undefined)
      context.say(
        'info',
        'The level is divided into tiles for obstacles. The agents search their paths again, and the scene goes on.',
      );
  }
}

/** Starts the agents of the scene. Returns false when none of them can. */
function startScene(run: CrowdRun, navMesh: NavMesh, isLive: boolean): boolean {
  const { store, say } = run.context;
  const notes: string[] = [];
  let session: CrowdSession | undefined;
  try {
    session = run.sceneCode!.startSceneSession(store.get(), navMesh, (note) => notes.push(note), isLive);
  } catch (error) {
    notes.push(messageOf(error));
  }
  if (notes.length > 0) say('warning', notes.slice(0, 5).join('\n'), SCENE_TOPIC);
  if (session === undefined) return false;
  setSession(run, session);
  return true;
}

function loadSceneCode(run: CrowdRun): void {
  run.madeFrom = undefined;
  run.loading ??= import('./scene-session.ts').then(
    (code) => {
      run.loading = undefined;
      run.sceneCode = code;
      if (run.isActive) prepare(run);
    },
    () => {
      run.loading = undefined;
      run.context.say(
        'error',
        'A part of the studio could not be loaded. Check the connection, then choose the tool again.',
      );
    },
  );
}

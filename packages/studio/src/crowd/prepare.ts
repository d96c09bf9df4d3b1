/** Creates the session that the state needs: of a scene file, of a crowd scene, or an empty crowd. */
import { findCrowdEntry } from '../scenes/crowd-scenes.ts';
import { createSetup } from '../scenes/crowd-setup.ts';
import { setSession } from './run.ts';
import type { CrowdRun } from './run.ts';
import { moveSession, startSession } from './session.ts';

/** Creates a session, unless the current one still fits the mesh. */
export function prepare(run: CrowdRun): void {
  const { session, madeFrom, context } = run;
  const { store } = context;
  const { mesh, source, sceneFile } = store.get();
  if (mesh === undefined) {
    run.madeFrom = undefined;
    if (session !== undefined) setSession(run, undefined);
    return;
  }
  const { navMesh } = mesh;
  if (session !== undefined && (navMesh === session.crowd.mesh || navMesh === madeFrom?.mesh)) return;
  run.madeFrom = { mesh: navMesh, source };
  if (madeFrom?.source !== source) run.isFree = false;
  if (sceneFile !== undefined && !run.isFree) {
    if (run.sceneCode === undefined) return loadSceneCode(run);
    if (startScene(run)) return;
  }
  const entry = run.isFree ? undefined : findCrowdEntry(source);
  const scene =
    entry === undefined || source?.kind !== 'scene' ? undefined : createSetup(entry.name, source.seed, source.scale);
  const isRebake = session !== undefined && session.setup === undefined && madeFrom?.source === source;
  if (scene !== undefined) setSession(run, startSession(navMesh, scene.setup));
  else setSession(run, isRebake ? moveSession(session, navMesh) : startSession(navMesh));
}

/** Starts the agents of the open scene file. Returns false when it has none. */
function startScene(run: CrowdRun): boolean {
  const { store, say } = run.context;
  const { mesh, sceneFile, edits } = store.get();
  const notes: string[] = [];
  const session = run.sceneCode!.startSceneSession(sceneFile!, edits, mesh!.navMesh, (note) => notes.push(note));
  if (notes.length > 0) say('warning', notes.slice(0, 5).join('\n'));
  if (session === undefined) return false;
  setSession(run, session);
  return true;
}

function loadSceneCode(run: CrowdRun): void {
  run.madeFrom = undefined;
  void import('./scene-session.ts').then(
    (code) => {
      run.sceneCode = code;
      if (run.isActive) prepare(run);
    },
    () =>
      run.context.say(
        'error',
        'A part of the studio could not be loaded. Check the connection, then choose the tool again.',
      ),
  );
}

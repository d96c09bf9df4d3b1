/** Drags targets of a scene while it runs, whose followers go after them at once, and obstacles of a live world. */
import { sceneOf } from '../state/scene.ts';
import { changeEdits, replaced } from '../tools/edit/shared.ts';
import type { ToolPointer } from '../tools/tool.ts';
import { rounded } from '../scene-editor/editor.ts';
import type { LiveObstacle } from './live/types.ts';
import type { CrowdRun } from './run.ts';
import { commandSession } from './session.ts';
import { branch, settle } from './timeline.ts';

/** Returns the number of the target under the pointer that can be dragged, or undefined. */
export function grabbable({ session, shown }: CrowdRun, pointer: ToolPointer): number | undefined {
  const { scene } = session ?? {};
  if (scene === undefined || shown !== undefined) return undefined;
  const places = scene
    .targetPlaces()
    .map((place, target) => (scene.canMove(target) ? (place ?? undefined) : undefined));
  const found = pointer.nearest(places);
  return found < 0 ? undefined : found;
}

/** Returns the obstacle under the pointer, or undefined. */
export function obstacleAt({ live }: CrowdRun, pointer: ToolPointer): LiveObstacle | undefined {
  return live?.under(pointer.ray());
}

export function grab(run: CrowdRun, pointer: ToolPointer): boolean {
  const obstacle = obstacleAt(run, pointer);
  if (obstacle !== undefined) {
    run.live!.selected = obstacle;
    if (pointer.shift) run.live!.remove(obstacle);
    else run.grabbed = { obstacle };
    return true;
  }
  const target = run.options.mode === 'add' ? undefined : grabbable(run, pointer);
  if (target === undefined) return false;
  settle(run);
  run.grabbed = { target, at: undefined };
  return true;
}

export function dragGrabbed(run: CrowdRun, pointer: ToolPointer): void {
  const { grabbed, session } = run;
  const point = pointer.hit()?.point;
  if (grabbed === undefined || session === undefined || point === undefined) return;
  if ('obstacle' in grabbed) return run.live?.drag(grabbed.obstacle, point);
  const at = rounded(point);
  grabbed.at = at;
  commandSession(session, ({ scene }) => scene?.moveTarget(grabbed.target, at));
  branch(run);
}

/** Ends the drag: the scene has the target where it is now. */
export function drop(run: CrowdRun): void {
  const { grabbed, context, madeFrom } = run;
  run.grabbed = undefined;
  if (grabbed === undefined || 'obstacle' in grabbed || grabbed.at === undefined || madeFrom === undefined) return;
  const scene = sceneOf(context.store.get());
  const [x, y, z] = grabbed.at;
  const target = { ...scene.targets[grabbed.target], position: [x, y, z] as [number, number, number] };
  const next = { ...scene, targets: replaced(scene.targets, grabbed.target, target) };
  // The crowd has moved it already.
  run.madeFrom = { ...madeFrom, scene: next };
  run.isSceneChanged = true;
  changeEdits(context, 'move target', { scene: next });
}

/** Draws the crowd: bodies, overlays, and a camera that follows the selected agent. */
import type { Crowd } from 'navkiln/crowd';
import { AGENT_STATES } from 'navkiln/kernel';
import type { Object3D } from 'three';
import { VILLAGE, findCrowdEntry } from '../scenes/crowd-scenes.ts';
import { originOf } from '../state/state.ts';
import type { Vec3 } from '../state/state.ts';
import type { ToolPointer } from '../tools/tool.ts';
import type { View } from '../view/view.ts';
import { createBodies } from './drawing/bodies.ts';
import type { Bodies } from './drawing/bodies.ts';
import { createOverlays } from './drawing/overlays.ts';
import type { Overlays } from './drawing/overlays.ts';
import { createTargetMarks } from './drawing/targets.ts';
import type { TargetMarks } from './drawing/targets.ts';
import { CLOTHES } from './looks.ts';
import { selectedSlot } from './run.ts';
import type { CrowdRun } from './run.ts';

/** Maximum number of agents with overlays when they are drawn for all. */
const MAX_OVERLAID = 400;
/** Larger crowds, and those in larger levels, cast no shadows: the whole map of shadows is drawn with each frame. */
const MAX_SHADED = 400;
const MANY_TRIANGLES = 100_000;
/** Height of the view at a distance of 1 m, meters: twice the tangent of half its angle of 50 degrees. */
const VIEW_HEIGHT = 0.93;
const BODY_HEIGHT = 1.8;

export interface Painter {
  bodies: Bodies | undefined;
  overlays: Overlays | undefined;
  targets: TargetMarks | undefined;
  /** The position of the agent to which the camera has followed it. */
  followed: Vec3 | undefined;
}

export function paint(painter: Painter, run: CrowdRun): void {
  const { session, options, context } = run;
  run.isStale = false;
  if (session === undefined) {
    for (const { object } of partsOf(painter)) object.visible = false;
    context.view.castShadows();
    return;
  }
  const { view, store, palette } = context;
  const bodies = (painter.bodies ??= createBodies());
  const overlays = (painter.overlays ??= createOverlays(palette()));
  const targets = (painter.targets ??= createTargetMarks(palette()));
  for (const { object } of [bodies, overlays, targets]) {
    object.visible = true;
    if (object.parent === null) view.root.add(object);
  }
  const { crowd } = session;
  const origin = originOf(store.get());
  bodies.setSigns(options.hasSigns);
  // The people of the village have clothes, unless their status is asked for.
  bodies.setClothes(findCrowdEntry(store.get().source) === VILLAGE && !options.hasSigns ? CLOTHES : []);
  const { position, target } = view.pose();
  const distance = Math.hypot(position[0] - target[0], position[1] - target[1], position[2] - target[2]);
  bodies.setSize((BODY_HEIGHT * view.canvas.clientHeight) / (VIEW_HEIGHT * distance));
  if (run.shown !== undefined) bodies.showFrame(run.shown, crowd, origin);
  else bodies.showCrowd(crowd, origin, run.alpha);
  const selected = run.shown === undefined ? selectedSlot(run) : -1;
  overlays.show(crowd, origin, overlaidSlots(run, crowd, selected), selected, options.overlays);
  const { level } = store.get();
  const isShaded = crowd.agentCount <= MAX_SHADED && (level?.indices.length ?? 0) <= 3 * MANY_TRIANGLES;
  if (bodies.mesh.castShadow || isShaded) view.castShadows();
  bodies.mesh.castShadow = isShaded;
  targets.show(session.scene?.targetPlaces() ?? [], origin);
  if (run.isFollowing && selected >= 0) follow(painter, run, crowd, selected);
}

/** Removes the crowd from the view. */
export function unpaint(painter: Painter, view: View): void {
  view.castShadows();
  for (const { object } of partsOf(painter)) object.removeFromParent();
}

function partsOf({ bodies, overlays, targets }: Painter): { object: Object3D }[] {
  return [bodies, overlays, targets].filter((part) => part !== undefined);
}

function overlaidSlots({ shown, options }: CrowdRun, crowd: Crowd, selected: number): number[] {
  if (shown !== undefined) return [];
  if (options.isForAll) return [...crowd.active.subarray(0, Math.min(crowd.activeCount, MAX_OVERLAID))];
  return selected >= 0 ? [selected] : [];
}

/** Moves the camera as far as the agent has moved. */
function follow(painter: Painter, { context, alpha }: CrowdRun, crowd: Crowd, slot: number): void {
  const { view } = context;
  const { position, previous } = crowd.agents;
  const interpolated = (k: number): number => previous[k] + alpha * (position[k] - previous[k]);
  const at: Vec3 = [interpolated(3 * slot), interpolated(3 * slot + 1), interpolated(3 * slot + 2)];
  const pose = view.pose();
  const from = painter.followed ?? pose.target;
  const moved = (point: Vec3): Vec3 => [
    point[0] + at[0] - from[0],
    point[1] + at[1] - from[1],
    point[2] + at[2] - from[2],
  ];
  const hasMoved = from.some((value, k) => value !== at[k as 0]);
  if (hasMoved) view.setPose({ position: moved(pose.position), target: moved(pose.target) }, false);
  painter.followed = at;
}

/** Returns the slot of the agent under the pointer, or -1. */
export function slotUnder({ session, shown }: CrowdRun, pointer: ToolPointer): number {
  if (session === undefined || shown !== undefined) return -1;
  const { origin, direction } = pointer.ray();
  const { position, radius, height, state } = session.crowd.agents;
  let best = -1;
  let bestAlong = Infinity;
  for (let slot = 0; slot < session.crowd.slotCount; slot++) {
    if (state[slot] === AGENT_STATES.free) continue;
    const half = height[slot] / 2;
    const x = position[3 * slot] - origin[0];
    const y = position[3 * slot + 1] + half - origin[1];
    const z = position[3 * slot + 2] - origin[2];
    const along = x * direction[0] + y * direction[1] + z * direction[2];
    const distanceSq = x * x + y * y + z * z - along * along;
    // Distant agents are small on the page, so their reach grows with the distance, and more for fingers.
    const reach = Math.max(radius[slot] * 1.3, half * 0.75) + along * (pointer.isTouch ? 0.016 : 0.004);
    if (along > 0 && along < bestAlong && distanceSq < reach * reach) [best, bestAlong] = [slot, along];
  }
  return best;
}

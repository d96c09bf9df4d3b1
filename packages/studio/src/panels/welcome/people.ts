/**
 * The people of the first page: they walk on errands around a cart that can be dragged, and a click sends all of them. They need no open
 * level. Loaded after the first picture.
 */
import { Group } from 'three';
import { createBodies } from '../../crowd/drawing/bodies.ts';
import { createObstacleBodies } from '../../crowd/live/bodies.ts';
import { createLive, dragObstacle, obstacleUnder, putObstacle, updateLive } from '../../crowd/live/live.ts';
import type { Live, LiveObstacle } from '../../crowd/live/types.ts';
import { CLOTHES } from '../../crowd/looks.ts';
import { momentOf } from '../../crowd/moment.ts';
import { sendAgents, startSession, stepSession } from '../../crowd/session.ts';
import { h } from '../../dom/dom.ts';
import { VILLAGE } from '../../scenes/crowd-scenes.ts';
import { createSetup } from '../../scenes/crowd-setup.ts';
import { CART } from '../../scenes/village.ts';
import { writeHash } from '../../state/hash.ts';
import { createState } from '../../state/state.ts';
import type { StudioState, Vec3 } from '../../state/state.ts';
import { disposeObject, drawn } from '../../view/drawing.ts';
import type { Palette } from '../../view/palette.ts';
import type { View } from '../../view/view.ts';
import type { Showcase, Shown } from './showcase.ts';

/** How far the pointer may move in a click, pixels. */
const CLICK_REACH = 6;
/** How long the mark of a goal stays, seconds. */
const MARK_SECONDS = 1.6;
/** Seconds that run before the first picture, so that people are on their way. */
const HEAD_START = 4;
const STEP_SECONDS = 1 / 60;
/** Ticks of a frame at most. Those beyond are dropped. */
const MAX_TICKS = 4;
const ORIGIN: Vec3 = [0, 0, 0];

export interface People {
  setPalette: (palette: Palette) => void;
  /** Returns the link that opens what is seen: the people where they are, on their way, the cart and the camera. */
  link: () => string;
  stop: () => void;
}

export interface Place {
  view: View;
  shown: Shown;
  showcase: Showcase;
  palette: Palette;
  /** The element over the view, for hints. */
  element: HTMLElement;
}

export async function startPeople({ view, shown, showcase, palette, element }: Place): Promise<People> {
  const { setup } = createSetup(VILLAGE.name, undefined, undefined)!;
  const source = { kind: 'scene', name: VILLAGE.name } as const;
  const state: StudioState = { ...createState(), ...shown, source, baseSettings: shown.settings };
  const live = await createLive(state, () => undefined);
  const session = startSession(live.world.navMesh, setup);
  session.isLive = true;
  const cart: LiveObstacle = putObstacle(live, state, CART, { shape: 'box', width: 1.6, height: 1.1 });
  do updateLive(live, 0);
  while (live.pending > 0);
  const isStill = globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches;
  for (let tick = 0; tick < HEAD_START / STEP_SECONDS; tick++) stepSession(session);

  const group = new Group();
  const bodies = createBodies();
  bodies.setSigns(false);
  bodies.setClothes(CLOTHES);
  const obstacles = createObstacleBodies(palette);
  group.add(bodies.object, obstacles.object);
  view.root.add(group);
  const mark = new Group();
  group.add(mark);
  let colors = palette;
  let markSeconds = 0;
  let time = 0;
  let isMoving = !isStill;

  const draw = (alpha: number): void => {
    bodies.showCrowd(session.crowd, ORIGIN, alpha);
    obstacles.show(live.obstacles, ORIGIN);
    view.castShadows();
  };
  const clearMark = (): void => {
    for (const child of mark.children.slice()) {
      mark.remove(child);
      disposeObject(child);
    }
  };
  const publish = (): void => {
    live.publishedAt = performance.now();
    live.rebuilt = [];
    showcase.setMesh({ ...shown.mesh!, navMesh: live.world.navMesh });
  };
  publish();
  const stopFrames = view.onFrame((seconds) => {
    if (updateLive(live, seconds)) publish();
    if (!isMoving) {
      draw(1);
      return live.pending > 0;
    }
    time = Math.min(time + seconds, MAX_TICKS * STEP_SECONDS);
    for (; time >= STEP_SECONDS; time -= STEP_SECONDS) stepSession(session);
    markSeconds -= seconds;
    if (markSeconds <= 0) clearMark();
    draw(time / STEP_SECONDS);
    return true;
  });

  const send = (point: Vec3): void => {
    if (sendAgents(session, point) === 0) return;
    isMoving = true;
    clearMark();
    mark.add(drawn({ kind: 'lines', positions: ringAround(point), color: colors.path, width: 4, order: 20 }));
    markSeconds = MARK_SECONDS;
    view.invalidate();
  };
  const stopListening = listenTo({ view, shown, live, cart, state, send });

  const link = (): string =>
    writeHash(
      {
        ...state,
        tool: 'crowd',
        camera: view.pose(),
        toolStates: { crowd: { signs: false, show: [], at: momentOf(session, live.obstacles) } },
      },
      '',
    );
  const hint = h('p', { class: 'welcome-hint' });
  const isTouch = globalThis.matchMedia('(hover: none)').matches;
  const open = h('button', { class: 'button', 'data-action': 'open-village', onclick: () => (location.hash = link()) }, 'Open the village'); // oxfmt-ignore
  hint.append(`${isTouch ? 'Tap' : 'Click'} the ground: everybody comes. Drag the cart: they walk around it. `, open);
  element.append(hint);
  view.invalidate();
  return {
    link,
    setPalette(next) {
      colors = next;
      obstacles.setPalette(next);
      view.invalidate();
    },
    stop() {
      stopFrames();
      stopListening();
      clearMark();
      group.removeFromParent();
      bodies.mesh.dispose();
      bodies.mesh.geometry.dispose();
      view.castShadows();
    },
  };
}

interface Listening extends Pick<Place, 'view' | 'shown'> {
  live: Live;
  cart: LiveObstacle;
  state: StudioState;
  send: (point: Vec3) => void;
}

/** Drags the cart, and sends people to clicks. Returns a function that ends it. */
function listenTo({ view, shown, live, cart, state, send }: Listening): () => void {
  const groundAt = ({ clientX, clientY }: PointerEvent): Vec3 | undefined => {
    const { origin, direction } = view.rayAt(clientX, clientY);
    const along = -origin[1] / direction[1];
    if (!(along > 0)) return undefined;
    const [x, z] = [origin[0] + along * direction[0], origin[2] + along * direction[2]];
    const { min, max } = shown.level!.bounds;
    return x < min[0] || x > max[0] || z < min[2] || z > max[2] ? undefined : [x, 0, z];
  };
  let pressed: { x: number; y: number; id: number; isCart: boolean; by: Vec3 } | undefined;
  const stage = view.canvas.parentElement!;
  const down = (event: PointerEvent): void => {
    if (event.target !== view.canvas || event.button !== 0 || !event.isPrimary) return;
    const under = obstacleUnder(live, view.rayAt(event.clientX, event.clientY));
    const at = groundAt(event) ?? cart.position;
    const by: Vec3 = [cart.position[0] - at[0], 0, cart.position[2] - at[2]];
    pressed = { x: event.clientX, y: event.clientY, id: event.pointerId, isCart: under !== undefined, by };
    if (under === undefined) return;
    // The camera does not get the drag.
    event.stopPropagation();
    view.canvas.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    if (pressed === undefined)
      view.canvas.style.cursor = obstacleUnder(live, view.rayAt(event.clientX, event.clientY)) === undefined ? 'crosshair' : 'grab'; // oxfmt-ignore
    if (pressed?.isCart !== true || pressed.id !== event.pointerId) return;
    const at = groundAt(event);
    if (at === undefined) return;
    dragObstacle(live, state, cart, [at[0] + pressed.by[0], 0, at[2] + pressed.by[2]]);
    view.invalidate();
  };
  const up = (event: PointerEvent): void => {
    const { x, y, id, isCart } = pressed ?? { x: 0, y: 0, id: -1, isCart: false };
    if (id !== event.pointerId) return;
    pressed = undefined;
    const isClick = Math.hypot(event.clientX - x, event.clientY - y) < CLICK_REACH;
    const point = isClick && !isCart && event.type === 'pointerup' ? groundAt(event) : undefined;
    if (point !== undefined) send(point);
  };
  stage.addEventListener('pointerdown', down, { capture: true });
  view.canvas.addEventListener('pointermove', move);
  globalThis.addEventListener('pointerup', up);
  globalThis.addEventListener('pointercancel', up);

  return () => {
    stage.removeEventListener('pointerdown', down, { capture: true });
    view.canvas.removeEventListener('pointermove', move);
    globalThis.removeEventListener('pointerup', up);
    globalThis.removeEventListener('pointercancel', up);
    view.canvas.style.cursor = '';
  };
}

/** Returns the segments of a ring on the ground. */
function ringAround([x, y, z]: Vec3): Float32Array {
  const [sides, radius] = [28, 0.9];
  const at = (i: number): number[] => {
    const angle = (2 * Math.PI * i) / sides;
    return [x + radius * Math.cos(angle), y + 0.06, z + radius * Math.sin(angle)];
  };
  return Float32Array.from(Array.from({ length: sides }, (_, i) => [...at(i), ...at(i + 1)]).flat());
}

/** Shared by the files of the scene tool. */
import type { SceneAgent, SceneLevel, SceneTarget } from 'navkiln-cli/scene';
import { levelsOf, sceneOf } from '../state/scene.ts';
import type { SceneContent } from '../state/scene-content.ts';
import type { Vec3 } from '../state/state.ts';
import { changeEdits } from '../tools/edit/shared.ts';
import type { ToolContext } from '../tools/tool.ts';

/** The action of a click: select, add a target, add a point to a route, add an agent or a group, or set a goal. */
export type SceneMode = 'select' | 'target' | 'route' | 'agent' | 'group' | 'goal';

export type SceneItem = { kind: 'target' | 'agent' | 'level'; index: number };

/** A point that can be dragged: of an item, or (`point`) of its route. */
export interface SceneHandle extends SceneItem {
  point: number;
  at: Vec3;
}

export interface SceneEditor {
  context: ToolContext;
  mode: SceneMode;
  selected: SceneItem | undefined;
  /** Name of the target that new agents follow; '': none. */
  marked: string;
  /** Number of agents of a new group. */
  groupCount: number;
  grab: SceneHandle | undefined;
  /** The scene during a drag. */
  moved: SceneContent | undefined;
  card: { panel: HTMLElement; refresh: () => void };
}

/** Functions of the tool that the card calls. */
export interface SceneActions {
  setMode: (mode: SceneMode) => void;
  show: () => void;
  change: (name: string, patch: Partial<SceneContent>) => void;
  changeTarget: (name: string, index: number, patch: Partial<SceneTarget>) => void;
  changeAgent: (name: string, index: number, patch: Partial<SceneAgent>) => void;
  remove: () => void;
  dropPoint: () => void;
  center: () => void;
}

/** A part of the card. */
export interface CardPart {
  element: HTMLElement;
  refresh: (editor: SceneEditor) => void;
}

/** Returns the scene as it is drawn: with the dragged point where it is now. */
export function shownScene({ moved, context }: SceneEditor): SceneContent {
  return moved ?? sceneOf(context.store.get());
}

/** Changes the scene as one step of the history. */
export function changeScene({ context }: SceneEditor, name: string, patch: Partial<SceneContent>): void {
  changeEdits(context, name, { scene: { ...sceneOf(context.store.get()), ...patch } });
}

export function targetsOf(editor: SceneEditor): readonly SceneTarget[] {
  return shownScene(editor).targets;
}

export function agentsOf(editor: SceneEditor): readonly SceneAgent[] {
  return shownScene(editor).agents;
}

export function shownLevels(editor: SceneEditor): readonly SceneLevel[] {
  return shownScene(editor).levels ?? levelsOf(editor.context.store.get());
}

/** Returns the points of a target: its position, or its route. */
export function pointsOf({ position, path }: SceneTarget): readonly Vec3[] {
  return path ?? (position === undefined ? [] : [position]);
}

/** Returns the position of an agent, or the center of its group. */
export function placeOf({ position, within }: SceneAgent): Vec3 | undefined {
  if (position !== undefined) return position;
  const { center, min, max } = within ?? {};
  if (center !== undefined) return center;
  return min === undefined || max === undefined
    ? undefined
    : [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
}

/** Returns all handles: those of the selected item last, so that they are found first. */
export function handlesOf(editor: SceneEditor): SceneHandle[] {
  const handles: SceneHandle[] = [];
  targetsOf(editor).forEach((target, index) =>
    pointsOf(target).forEach((at, point) => handles.push({ kind: 'target', index, point, at })),
  );
  agentsOf(editor).forEach((agent, index) => {
    const at = placeOf(agent);
    if (at !== undefined) handles.push({ kind: 'agent', index, point: 0, at });
    if (Array.isArray(agent.goal)) handles.push({ kind: 'agent', index, point: 1, at: agent.goal });
  });
  const levels = shownLevels(editor);
  if (levels.length > 1) {
    levels.forEach(({ position = [0, 0, 0] }, index) => handles.push({ kind: 'level', index, point: 0, at: position }));
  }
  return handles;
}

/** Returns a name that no target and no agent has: 'target 2'. */
export function freeName(editor: SceneEditor, stem: string): string {
  const taken = new Set([...targetsOf(editor), ...agentsOf(editor)].map(({ name }) => name));
  for (let number = 1; ; number++) if (!taken.has(`${stem} ${number}`)) return `${stem} ${number}`;
}

/** Rounds a point to millimeters, which is how it is saved. */
export function rounded(point: Vec3): [number, number, number] {
  const at = (value: number): number => Number(value.toFixed(3)) + 0;
  return [at(point[0]), at(point[1]), at(point[2])];
}

export function labelOfAgent({ name, count = 1 }: SceneAgent, index: number): string {
  return `${name ?? `agent ${index + 1}`}${count > 1 ? ` × ${count}` : ''}`;
}

/** Returns the name of a level: that of a bundled level or of a file. */
export function labelOfLevel({ file, scene }: SceneLevel): string {
  return scene ?? file ?? '';
}

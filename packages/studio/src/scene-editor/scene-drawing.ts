/** Draws targets with their routes, agents with their goals, groups, and the positions of levels. */
import { originOf } from '../state/state.ts';
import type { Vec3 } from '../state/state.ts';
import { handles } from '../tools/edit/shared.ts';
import type { Drawing } from '../view/drawing.ts';
import { createMarks } from '../view/marks.ts';
import type { Marks } from '../view/marks.ts';
import { agentsOf, handlesOf, placeOf, pointsOf, targetsOf } from './editor.ts';
import type { SceneEditor } from './editor.ts';

/** Height of the pole of a target, world units. */
const POLE = 2;

export function drawScene(editor: SceneEditor): Drawing[] {
  const { context, selected } = editor;
  const state = context.store.get();
  const palette = context.palette();
  const marks = createMarks(originOf(state), palette);
  const { main, second, faint, third } = marks.colors;
  const radius = state.mesh?.navMesh.agent.radius || 0.4;
  targetsOf(editor).forEach((target, index) => {
    const isSelected = selected?.kind === 'target' && selected.index === index;
    const points = pointsOf(target);
    if (points.length > 1) {
      const route = target.loop === true ? [...points, points[0]] : points;
      marks.line(route, main, { width: isSelected ? 4 : 2.5 });
    }
    if (points.length > 0) drawFlag(marks, points[0], main, isSelected);
  });
  agentsOf(editor).forEach((agent, index) => {
    const at = placeOf(agent);
    if (at === undefined) return;
    const isSelected = selected?.kind === 'agent' && selected.index === index;
    const reach = agent.within?.radius ?? agent.radius ?? radius;
    marks.circle(at, reach, isSelected ? third : second, { width: isSelected ? 4 : 2.5 });
    const goal = goalOf(editor, index);
    if (goal !== undefined) marks.line([at, goal], faint, { width: 1.5, isDashed: true, hasHalo: false });
    if (Array.isArray(agent.goal)) marks.cross(agent.goal, 0.3);
  });
  const all = handlesOf(editor);
  const isSelected = ({ kind, index }: (typeof all)[number]): boolean =>
    selected?.kind === kind && selected.index === index;
  const colorOf = { target: main, agent: second, level: palette.link };
  return [
    ...marks.list,
    ...all.flatMap((handle) => handles(context, [handle.at], colorOf[handle.kind], isSelected(handle) ? 8 : 5)),
  ];
}

/** Draws a pole with a flag. */
function drawFlag(marks: Marks, [x, y, z]: Vec3, color: string, isSelected: boolean): void {
  const width = isSelected ? 4 : 3;
  marks.line(
    [
      [x, y, z],
      [x, y + POLE, z],
      [x + 0.8, y + 0.8 * POLE, z],
      [x, y + 0.6 * POLE, z],
    ],
    color,
    { width },
  );
}

/** Returns the first goal of an agent. */
function goalOf(editor: SceneEditor, index: number): Vec3 | undefined {
  const { goal, follows } = agentsOf(editor)[index];
  if (Array.isArray(goal)) return goal;
  const name = follows ?? goal;
  const target = targetsOf(editor).find((one) => one.name === name);
  if (target !== undefined) return pointsOf(target)[0];
  const agent = name === undefined ? undefined : agentsOf(editor).find((one) => one.name === name);
  return agent === undefined ? undefined : placeOf(agent);
}

/**
 * The scene tool: targets with routes, agents and groups, what each of them does, and the levels of the scene. The crowd tool runs
 * it, and Save writes it as a scene file.
 */
import type { SceneAgent, SceneTarget } from 'navkiln-cli/scene';
import { sceneOf } from '../state/scene.ts';
import type { SceneContent } from '../state/scene-content.ts';
import type { Vec3 } from '../state/state.ts';
import { changeEdits, isDelete, replaced, without } from '../tools/edit/shared.ts';
import type { Tool, ToolContext, ToolPointer } from '../tools/tool.ts';
import { agentsOf, changeScene, freeName, handlesOf, rounded, shownLevels, shownScene, targetsOf } from './editor.ts';
import type { SceneActions, SceneEditor, SceneHandle } from './editor.ts';
import { createSceneCard } from './scene-card.ts';
import { drawScene } from './scene-drawing.ts';

/** Speed of a target that gets a route, world units per second. */
const ROUTE_SPEED = 2;
/** Radius of the circle of a new group, in radii of its agents, for each root of their number. */
const GROUP_RADII = 2.5;

export function createSceneTool(context: ToolContext): Tool {
  const editor: SceneEditor = {
    context,
    mode: 'select',
    selected: undefined,
    marked: '',
    groupCount: 10,
    grab: undefined,
    moved: undefined,
    card: createSceneCard(
      () => editor,
      createActions(() => editor),
    ),
  };
  return {
    panel: editor.card.panel,
    enter: () => show(editor),
    changed(_state, keys) {
      if (keys.has('source'))
        Object.assign(editor, { selected: undefined, mode: 'select', marked: '', moved: undefined });
      const { selected } = editor;
      const lists = { target: targetsOf(editor), agent: agentsOf(editor), level: shownLevels(editor) };
      if (selected !== undefined && selected.index >= lists[selected.kind].length) editor.selected = undefined;
      if (!targetsOf(editor).some(({ name }) => name === editor.marked)) editor.marked = '';
      show(editor);
    },
    down: (pointer) => startDrag(editor, pointer),
    drag: (pointer) => drag(editor, pointer),
    up() {
      const { moved } = editor;
      editor.grab = editor.moved = undefined;
      if (moved !== undefined) changeEdits(context, 'move', { scene: moved });
      show(editor);
    },
    click(pointer) {
      const point = pointer.hit()?.point;
      if (point !== undefined) click(editor, rounded(point));
    },
    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      if (isDelete(event) && editor.selected !== undefined) remove(editor);
      else if (event.key === 'Escape' && (editor.mode !== 'select' || editor.selected !== undefined)) {
        if (editor.mode === 'select') editor.selected = undefined;
        editor.mode = 'select';
        show(editor);
      } else return false;
      return true;
    },
    hover: (pointer) =>
      handleUnder(editor, pointer) !== undefined ? 'grab' : editor.mode === 'select' ? undefined : 'crosshair',
    draw: () => drawScene(editor),
    inspect: () => ({
      scene: shownScene(editor),
      mode: editor.mode,
      selected: editor.selected,
      handles: handlesOf(editor),
    }),
  };
}

function createActions(editorOf: () => SceneEditor): SceneActions {
  return {
    setMode(mode) {
      const editor = editorOf();
      editor.mode = mode;
      if (!['select', 'route', 'goal'].includes(mode)) editor.selected = undefined;
      show(editor);
    },
    show: () => show(editorOf()),
    change: (name, patch) => changeScene(editorOf(), name, patch),
    changeTarget(name, index, patch) {
      const editor = editorOf();
      const before = targetsOf(editor)[index];
      const targets = replaced(targetsOf(editor), index, plain({ ...before, ...patch }));
      const agents =
        patch.name === undefined
          ? agentsOf(editor)
          : agentsOf(editor).map((agent) => renamed(agent, before.name, patch.name!));
      if (editor.marked === before.name) editor.marked = patch.name ?? before.name;
      changeScene(editor, name, { targets, agents });
    },
    changeAgent(name, index, patch) {
      const editor = editorOf();
      const before = agentsOf(editor)[index];
      const list = replaced(agentsOf(editor), index, plain({ ...before, ...patch }));
      const agents =
        patch.name === undefined || before.name === undefined
          ? list
          : list.map((agent) => renamed(agent, before.name!, patch.name!));
      changeScene(editor, name, { agents });
    },
    remove: () => remove(editorOf()),
    dropPoint: () => dropPoint(editorOf()),
    center: () => center(editorOf()),
  };
}

/** Drops keys without a value, which a file does not have. */
function plain<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

/** Returns the agent with the new name of the target that it follows or goes to. */
function renamed(agent: SceneAgent, from: string, to: string): SceneAgent {
  return {
    ...agent,
    ...(agent.follows === from ? { follows: to } : {}),
    ...(agent.goal === from ? { goal: to } : {}),
  };
}

function show(editor: SceneEditor): void {
  editor.card.refresh();
  editor.context.redraw();
}

function handleUnder(editor: SceneEditor, pointer: ToolPointer): SceneHandle | undefined {
  const handles = handlesOf(editor);
  return handles[pointer.nearest(handles.map(({ at }) => at))];
}

function startDrag(editor: SceneEditor, pointer: ToolPointer): boolean {
  const found = handleUnder(editor, pointer);
  if (found === undefined || editor.mode === 'route' || editor.mode === 'goal') return false;
  editor.selected = { kind: found.kind, index: found.index };
  editor.mode = 'select';
  if (found.kind === 'target') editor.marked = targetsOf(editor)[found.index].name;
  if (pointer.shift) remove(editor);
  else editor.grab = found;
  show(editor);
  return true;
}

function drag(editor: SceneEditor, pointer: ToolPointer): void {
  const point = pointer.hit()?.point;
  const { grab, context } = editor;
  if (grab === undefined || point === undefined) return;
  const to = rounded(point);
  const scene = sceneOf(context.store.get());
  editor.moved = moveHandle(scene, grab, to, shownLevels(editor));
  context.redraw();
}

/** Returns the scene with one point moved. */
function moveHandle(
  scene: SceneContent,
  { kind, index, point }: SceneHandle,
  to: [number, number, number],
  levels: ReturnType<typeof shownLevels>,
): SceneContent {
  if (kind === 'target') {
    const target = scene.targets[index];
    const next = target.path === undefined ? { position: to } : { path: replaced(target.path, point, to) };
    return { ...scene, targets: replaced(scene.targets, index, { ...target, ...next }) };
  }
  if (kind === 'level') return { ...scene, levels: replaced(levels, index, { ...levels[index], position: to }) };
  return { ...scene, agents: replaced(scene.agents, index, movedAgent(scene.agents[index], point, to)) };
}

function movedAgent(agent: SceneAgent, point: number, to: [number, number, number]): SceneAgent {
  if (point === 1) return { ...agent, goal: to };
  const { within } = agent;
  if (within === undefined) return { ...agent, position: to };
  if (within.center !== undefined) return { ...agent, within: { ...within, center: to } };
  const [min, max] = [within.min!, within.max!];
  const offset = to.map((value, axis) => value - (min[axis] + max[axis]) / 2);
  const shifted = (corner: Vec3): [number, number, number] =>
    rounded([corner[0] + offset[0], corner[1] + offset[1], corner[2] + offset[2]]);
  return { ...agent, within: { min: shifted(min), max: shifted(max) } };
}

/** Adds an item of the current mode, or clears the selection. */
function click(editor: SceneEditor, point: [number, number, number]): void {
  const { mode } = editor;
  if (mode === 'select') editor.selected = undefined;
  else if (mode === 'target') addTarget(editor, { position: point });
  else if (mode === 'route') addRoutePoint(editor, point);
  else if (mode === 'goal') setGoal(editor, point);
  else addAgents(editor, point);
  show(editor);
}

function addTarget(editor: SceneEditor, where: Partial<SceneTarget>): void {
  const name = freeName(editor, 'target');
  editor.selected = { kind: 'target', index: targetsOf(editor).length };
  editor.marked = name;
  changeScene(editor, 'add target', { targets: [...targetsOf(editor), { name, ...where }] });
  if (editor.mode === 'target') editor.mode = 'select';
}

/** Adds a point to the route of the selected target; without one, the first click adds a target. */
function addRoutePoint(editor: SceneEditor, point: [number, number, number]): void {
  const { selected } = editor;
  if (selected?.kind !== 'target') return addTarget(editor, { position: point });
  const { position, path, speed = ROUTE_SPEED, ...target } = targetsOf(editor)[selected.index];
  const route = [...(path ?? (position === undefined ? [] : [position])), point];
  changeScene(editor, 'route', {
    targets: replaced(targetsOf(editor), selected.index, { ...target, path: route, speed }),
  });
}

function setGoal(editor: SceneEditor, goal: [number, number, number]): void {
  const { selected } = editor;
  editor.mode = 'select';
  if (selected?.kind !== 'agent') return;
  const { follows: _follows, distance: _distance, ...agent } = agentsOf(editor)[selected.index];
  changeScene(editor, 'goal', { agents: replaced(agentsOf(editor), selected.index, { ...agent, goal }) });
}

function addAgents(editor: SceneEditor, point: [number, number, number]): void {
  const { mode, marked, groupCount, context } = editor;
  const mesh = context.store.get().mesh?.navMesh;
  const radius = (mesh?.agent.radius || 0.4) * GROUP_RADII * Math.sqrt(groupCount);
  const where =
    mode === 'agent'
      ? { name: freeName(editor, 'agent'), position: point }
      : {
          name: freeName(editor, 'group'),
          count: groupCount,
          within: { center: point, radius: Number(radius.toFixed(2)) },
        };
  editor.selected = { kind: 'agent', index: agentsOf(editor).length };
  const agent: SceneAgent = { ...where, ...(marked === '' ? {} : { follows: marked }) };
  changeScene(editor, mode === 'agent' ? 'add agent' : 'add group', { agents: [...agentsOf(editor), agent] });
  editor.mode = 'select';
}

/** Removes the selected item. Agents that follow it stand. */
function remove(editor: SceneEditor): void {
  const { selected } = editor;
  if (selected === undefined) return;
  const { kind, index } = selected;
  const [targets, agents] = [targetsOf(editor), agentsOf(editor)];
  editor.selected = undefined;
  if (kind === 'level') changeScene(editor, 'remove level', { levels: without(shownLevels(editor), index) });
  else {
    const name = (kind === 'target' ? targets : agents)[index].name;
    const left = kind === 'agent' ? without(agents, index) : agents;
    changeScene(editor, `remove ${kind}`, {
      targets: kind === 'target' ? without(targets, index) : targets,
      agents: left.map((agent) => withoutErrand(agent, name)),
    });
  }
  show(editor);
}

function withoutErrand(agent: SceneAgent, name: string | undefined): SceneAgent {
  const { follows, distance, goal, ...rest } = agent;
  if (name === undefined || (follows !== name && goal !== name)) return agent;
  void distance;
  return rest;
}

function dropPoint(editor: SceneEditor): void {
  const { selected } = editor;
  const target = selected?.kind === 'target' ? targetsOf(editor)[selected.index] : undefined;
  if (target?.path === undefined) return;
  const { path, speed, loop, startsAt, ...rest } = target;
  const left = path.slice(0, -1);
  const next: SceneTarget =
    left.length > 1
      ? {
          ...rest,
          path: left,
          speed,
          ...(loop === undefined ? {} : { loop }),
          ...(startsAt === undefined ? {} : { startsAt }),
        }
      : { ...rest, position: left[0] };
  changeScene(editor, 'route', { targets: replaced(targetsOf(editor), selected!.index, next) });
}

/** Moves the camera so that it looks at the selected item. */
function center(editor: SceneEditor): void {
  const { selected, context } = editor;
  const handle = handlesOf(editor).find(({ kind, index }) => kind === selected?.kind && index === selected.index);
  if (handle === undefined) return;
  const { position, target } = context.view.pose();
  const offset = handle.at.map((value, axis) => value - target[axis as 0]) as [number, number, number];
  const moved = (point: Vec3): Vec3 => [point[0] + offset[0], point[1] + offset[1], point[2] + offset[2]];
  context.view.setPose({ position: moved(position), target: moved(target) }, true);
}

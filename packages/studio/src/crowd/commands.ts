/** Commands of the user: select, send, add, stop and remove agents. */
import { setEnabled } from 'navkiln';
import { getAgent, listAgents, pauseAgent, removeAgent, resumeAgent, setAgentOptions, stopAgent } from 'navkiln/crowd';
import type { AgentId, AgentOptions } from 'navkiln/crowd';
import { refs } from 'navkiln/kernel';
import type { Vec3 } from '../state/state.ts';
import { loadPart } from '../tools/lazy.ts';
import { NOTHING_HERE } from '../tools/tool.ts';
import type { ToolPointer } from '../tools/tool.ts';
import { slotUnder } from './painter.ts';
import { createRecord } from './record.ts';
import { notify, refresh, selectedSlot, setOptions } from './run.ts';
import type { CrowdRun } from './run.ts';
import { addGroup, commandSession, sendAgents } from './session.ts';
import type { CrowdSession } from './session.ts';
import { branch, settle } from './timeline.ts';

/** Selects the agent under the pointer; elsewhere it sends agents there or adds some. */
export function click(run: CrowdRun, pointer: ToolPointer): void {
  if (run.session === undefined) return;
  settle(run);
  if (run.options.mode === 'obstacle') {
    const point = pointer.hit()?.point;
    if (point === undefined) return run.context.say('info', NOTHING_HERE, NOTHING_HERE);
    void loadPart(() => import('./run-live.ts'), run.context.say).then((code) => code?.clickObstacle(run, point));
    return;
  }
  const isAdding = run.options.mode === 'add';
  const slot = isAdding ? -1 : slotUnder(run, pointer);
  if (slot >= 0) return select(run, refs.agentIdOf(run.session.crowd, slot));
  const point = pointer.hit()?.point;
  if (point === undefined) {
    if (isAdding) run.context.say('info', NOTHING_HERE, NOTHING_HERE);
    return select(run, undefined);
  }
  if (isAdding) addAgents(run, point);
  else send(run, point, pointer.shift);
}

function addAgents(run: CrowdRun, point: Vec3): void {
  const { group } = run.options;
  const { say } = run.context;
  const added = addGroup(run.session!, point, group, run.options.parameters);
  if (added.length === 0) say('info', 'No agent fits here, or the crowd is full.');
  else if (added.length < group) say('info', `Only ${added.length} of ${group} agents fit here.`);
  if (added.length > 0) branch(run);
}

/** Sends the selected agent; all agents when none is selected or `isForAll` is true. */
function send(run: CrowdRun, point: Vec3, isForAll: boolean): void {
  const { say } = run.context;
  const session = run.session!;
  const { crowd } = session;
  if (crowd.agentCount === 0) return say('info', 'There are no agents yet: choose Add and click the mesh first.');
  const selected = isForAll ? -1 : selectedSlot(run);
  const ids = selected >= 0 ? [refs.agentIdOf(crowd, selected)] : listAgents(crowd);
  let sent = 0;
  commandSession(session, (target) => void (sent = sendAgents(target, point, ids)));
  if (sent === 0) return say('info', 'There is no walkable surface here.');
  branch(run);
}

export function select(run: CrowdRun, id: AgentId | undefined): void {
  run.context.store.update({ selection: id === undefined ? undefined : { kind: 'agent', id } });
  if (id === undefined) run.isFollowing = false;
  refresh(run);
  notify(run);
}

export function removeSelected(run: CrowdRun): void {
  const { live } = run;
  if (live?.selected !== undefined) return live.remove(live.selected);
  commandSelected(run, ({ crowd }, id) => removeAgent(crowd, id), true);
}

export function stopSelected(run: CrowdRun): void {
  commandSelected(run, ({ crowd }, id) => stopAgent(crowd, id), false);
}

/** Pauses the selected agent with its order and its path, or lets it go on. */
export function toggleNavigation(run: CrowdRun): void {
  const slot = selectedSlot(run);
  if (run.session === undefined || slot < 0) return;
  settle(run);
  const id = refs.agentIdOf(run.session.crowd, slot);
  const isPaused = getAgent(run.session.crowd, id)?.isPaused === true;
  commandSession(run.session, ({ crowd }) => (isPaused ? resumeAgent : pauseAgent)(crowd, id));
  branch(run);
}

export function centerSelected(run: CrowdRun): void {
  const slot = selectedSlot(run);
  if (run.session === undefined || slot < 0) return;
  const { view } = run.context;
  const { position, target } = view.pose();
  const at = run.session.crowd.agents.position.subarray(3 * slot, 3 * slot + 3);
  const moved = (point: Vec3): Vec3 => [
    point[0] + at[0] - target[0],
    point[1] + at[1] - target[1],
    point[2] + at[2] - target[2],
  ];
  view.setPose({ position: moved(position), target: moved(target) }, true);
}

/** Opens or closes all surface and links of a name. The time before cannot be shown again, unless a scene can repeat it. */
export function setDoor(run: CrowdRun, name: string, isOpen: boolean): void {
  const { session, context } = run;
  if (session === undefined) return;
  settle(run);
  commandSession(session, ({ crowd }) => setEnabled(crowd.mesh, name, isOpen));
  if (session.scene === undefined) run.record = createRecord();
  branch(run);
  const { mesh } = context.store.get();
  if (mesh !== undefined) context.store.update({ mesh: { ...mesh, navMesh: session.crowd.mesh } });
}

export function setParameters(run: CrowdRun, patch: AgentOptions): void {
  const { session, options } = run;
  if (session === undefined) return;
  if (options.appliesTo === 'new') return setOptions(run, { parameters: { ...options.parameters, ...patch } });
  settle(run);
  const slot = selectedSlot(run);
  const ids =
    options.appliesTo === 'all' ? listAgents(session.crowd) : slot < 0 ? [] : [refs.agentIdOf(session.crowd, slot)];
  if (ids.length === 0) return run.context.say('info', 'Select an agent first: choose Send and click it.');
  commandSession(session, ({ crowd }) => ids.forEach((id) => setAgentOptions(crowd, id, patch)));
  branch(run);
}

function commandSelected(
  run: CrowdRun,
  command: (session: CrowdSession, id: AgentId) => unknown,
  isDeselecting: boolean,
): void {
  const slot = selectedSlot(run);
  if (run.session === undefined || slot < 0) return;
  settle(run);
  const id = refs.agentIdOf(run.session.crowd, slot);
  commandSession(run.session, (target) => {
    target.scene?.release(id);
    command(target, id);
  });
  if (isDeselecting) select(run, undefined);
  branch(run);
}

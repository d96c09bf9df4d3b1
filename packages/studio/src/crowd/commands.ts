/** Commands of the user: select, send, add, stop and remove agents. */
import { listAgents, removeAgent, stopAgent } from 'navkiln/crowd';
import type { AgentId } from 'navkiln/crowd';
import { agentIdOf } from 'navkiln/kernel';
import type { Vec3 } from '../state/state.ts';
import type { ToolPointer } from '../tools/tool.ts';
import { slotUnder } from './painter.ts';
import { notify, refresh, selectedSlot } from './run.ts';
import type { CrowdRun } from './run.ts';
import { addGroup, commandSession, sendAgents } from './session.ts';
import type { CrowdSession } from './session.ts';
import { branch, settle } from './timeline.ts';

/** Selects the agent under the pointer; elsewhere it sends agents there or adds some. */
export function click(run: CrowdRun, pointer: ToolPointer): void {
  if (run.session === undefined) return;
  settle(run);
  const isAdding = run.options.mode === 'add';
  const slot = isAdding ? -1 : slotUnder(run, pointer);
  if (slot >= 0) return select(run, agentIdOf(run.session.crowd, slot));
  const point = pointer.hit()?.point;
  if (point === undefined) return select(run, undefined);
  if (isAdding) addAgents(run, point);
  else send(run, point, pointer.shift);
}

function addAgents(run: CrowdRun, point: Vec3): void {
  const { group } = run.options;
  const { say } = run.context;
  const added = addGroup(run.session!, point, group);
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
  const ids = selected >= 0 ? [agentIdOf(crowd, selected)] : listAgents(crowd);
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
  commandSelected(run, ({ crowd }, id) => removeAgent(crowd, id), true);
}

export function stopSelected(run: CrowdRun): void {
  commandSelected(run, ({ crowd }, id) => stopAgent(crowd, id), false);
}

function commandSelected(
  run: CrowdRun,
  command: (session: CrowdSession, id: AgentId) => unknown,
  isDeselecting: boolean,
): void {
  const slot = selectedSlot(run);
  if (run.session === undefined || slot < 0) return;
  settle(run);
  const id = agentIdOf(run.session.crowd, slot);
  commandSession(run.session, (target) => {
    target.scene?.release(id);
    command(target, id);
  });
  if (isDeselecting) select(run, undefined);
  branch(run);
}

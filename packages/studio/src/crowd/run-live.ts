/** Runs a live world under the crowd: starts it with the first obstacle, rebuilds tiles in each frame, and shows them. */
import { messageOf } from '../state/message-of.ts';
import { originOf } from '../state/state.ts';
import type { Vec3 } from '../state/state.ts';
import { count } from '../tools/pending.ts';
import type { ToolContext } from '../tools/tool.ts';
import { createRecord, noteTick } from './record.ts';
import { prepare } from './prepare.ts';
import { notify, refresh } from './run.ts';
import type { CrowdRun } from './run.ts';
import { createObstacleBodies } from './live/bodies.ts';
import { createLive, dragObstacle, dropObstacle, obstacleUnder, putObstacle, updateLive } from './live/live.ts';
import type { Live, LiveRun, ObstacleShape } from './live/types.ts';

/** Puts an obstacle at a point. The first one makes the level a live world, which takes a bake. */
export function clickObstacle(run: CrowdRun, point: Vec3): void {
  const { live, isStartingLive } = run;
  if (isStartingLive) return;
  if (live !== undefined) return put(run, live, point);
  const job = startLive(run).then((started) => started !== undefined && put(run, started, point));
  count(job);
}

/** Makes the level a live world with the obstacles of a link. */
export async function putObstacles(
  run: CrowdRun,
  obstacles: readonly (ObstacleShape & { position: Vec3 })[],
): Promise<void> {
  const live = run.live ?? (await startLive(run));
  if (live === undefined) return;
  for (const { position, ...shape } of obstacles) {
    run.options = { ...run.options, obstacle: shape };
    put(run, live, position);
  }
  live.selected = undefined;
}

function put(run: CrowdRun, liveRun: LiveRun, point: Vec3): void {
  const { context, options } = run;
  try {
    liveRun.selected = putObstacle(liveRun.live, context.store.get(), point, options.obstacle);
  } catch (error) {
    context.say('info', messageOf(error).replace(/^\w+: /, ''));
  }
  refresh(run);
  notify(run);
}

/** Bakes the open content as a world, and moves the crowd onto its mesh. */
async function startLive(run: CrowdRun): Promise<LiveRun | undefined> {
  const { context } = run;
  const { store, say } = context;
  const before = store.get().mesh;
  run.isStartingLive = true;
  const job = { status: 'running', title: 'Dividing into tiles', stage: '' } as const;
  try {
    const live = await createLive(store.get(), (done, total) => store.update({ job: { ...job, done, total } }));
    store.update({ job: { status: 'idle', title: '', stage: '', done: 0, total: 0 } });
    // Something else was opened or baked meanwhile.
    if (store.get().mesh?.id !== before?.id || before === undefined) return undefined;
    const { navMesh } = live.world;
    run.live = createLiveRun(run, context, live);
    store.update({ mesh: { ...store.get().mesh!, navMesh, rebuilt: undefined } });
    prepare(run);
    return run.live;
  } catch (error) {
    store.update({ job: { status: 'idle', title: '', stage: '', done: 0, total: 0 } });
    say('error', messageOf(error));
    return undefined;
  } finally {
    run.isStartingLive = false;
  }
}

function createLiveRun(run: CrowdRun, { store, view, palette }: ToolContext, live: Live): LiveRun {
  const bodies = createObstacleBodies(palette());
  view.root.add(bodies.object);
  const liveRun: LiveRun = {
    live,
    bodies,
    selected: undefined,
    under: (ray) => obstacleUnder(live, ray),
    drag(obstacle, point) {
      dragObstacle(live, store.get(), obstacle, point);
      refresh(run);
    },
    remove(obstacle) {
      dropObstacle(live, obstacle);
      liveRun.selected = undefined;
      refresh(run);
      notify(run);
    },
    frame(seconds) {
      if (updateLive(live, seconds)) publish(run, live);
      bodies.show(live.obstacles, originOf(store.get()));
      if (bodies.object.parent === null) view.root.add(bodies.object);
      return live.pending > 0;
    },
    hide: () => void bodies.object.removeFromParent(),
  };
  return liveRun;
}

/** Shows the changed mesh. The time before it cannot be shown again. */
function publish(run: CrowdRun, live: Live): void {
  const { store } = run.context;
  const { mesh } = store.get();
  const { rebuilt, ms } = live;
  live.publishedAt = performance.now();
  live.rebuilt = [];
  live.ms = 0;
  if (run.session !== undefined) {
    run.record = createRecord();
    noteTick(run.record, run.session, true);
  }
  if (mesh === undefined) return;
  const report = mesh.report === undefined ? undefined : ({ ...mesh.report, totalMs: ms } as typeof mesh.report);
  store.update({ mesh: { ...mesh, navMesh: live.world.navMesh, rebuilt, report } });
}

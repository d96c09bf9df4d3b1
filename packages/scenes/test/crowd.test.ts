import { describe, expect, it } from 'vitest';
import { crowdScenes, denseCrowdScenes, findCrowdScene } from '../src/index.ts';
import type { CrowdSetup } from '../src/index.ts';

/** Returns the FNV-1a hash of all numbers, as doubles. */
function hash(setup: CrowdSetup): string {
  let h = 0x811c9dc5;
  const put = (values: ArrayLike<number>): void => {
    const bytes = new Uint8Array(Float64Array.from(values).buffer);
    for (let i = 0; i < bytes.length; i++) h = Math.imul(h ^ bytes[i], 0x01000193);
  };
  put(setup.level.positions);
  put(setup.level.indices);
  for (const agent of setup.agents)
    put([
      ...agent.position,
      ...(agent.goal ?? []),
      agent.radius,
      agent.maxSpeed,
      agent.group,
      ...(agent.errands ?? []).flat(),
    ]);
  for (const step of setup.script ?? [])
    put([step.atSecond, ...(step.do === 'move-to' ? [step.agent, ...step.point] : [])]);
  return (h >>> 0).toString(16).padStart(8, '0');
}

/** Scenes with agents that have no goal, and that in which all begin at one position. */
const IDLERS = ['idle-door', 'link-landing', 'spawn-pile'];
const PILE = 'spawn-pile';
const scenes = [...crowdScenes, ...denseCrowdScenes];

describe.each(scenes.map((scene) => [scene.name, scene] as const))('crowd scene %s', (name, scene) => {
  it('has the same numbers in every run, equal to the snapshot', () => {
    const setup = scene.create();
    expect(hash(scene.create())).toBe(hash(setup));
    expect({
      name,
      agents: setup.agents.length,
      steps: setup.script?.length ?? 0,
      hash: hash(setup),
    }).toMatchSnapshot();
    expect(hash(scene.create(7))).not.toBe(hash(setup));
  });

  it.each([undefined, 2, 13, 40])(
    'has agents without overlap, a goal for each, and a script in order (%s agents)',
    (count) => {
      const { agents, script = [], seconds, links = [] } = scene.create(3, count);
      expect(Math.abs(agents.length - (count ?? scene.agents))).toBeLessThanOrEqual(2);
      agents.forEach((agent, i) => {
        expect([...agent.position, ...(agent.goal ?? [])].every(Number.isFinite)).toBe(true);
        const isIdle = agent.goal === undefined && agent.follow === undefined;
        expect(agent.goal !== undefined && agent.follow !== undefined).toBe(false);
        if (isIdle) expect(IDLERS).toContain(name);
        if (name === PILE) return;
        for (let j = 0; j < i; j++) {
          const [a, b] = [agent.position, agents[j].position];
          const apart = Math.sqrt((a[0] - b[0]) ** 2 + (a[2] - b[2]) ** 2) - agent.radius - agents[j].radius;
          if (Math.abs(a[1] - b[1]) < 1 && apart < 0.01) expect.fail(`agents ${i} and ${j} begin ${apart} apart`);
        }
      });
      script.forEach((step, i) => {
        expect(step.atSecond).toBeLessThan(seconds);
        expect(step.atSecond).toBeGreaterThanOrEqual(i === 0 ? 0 : script[i - 1].atSecond);
        if ('agent' in step) expect(step.agent).toBeLessThan(agents.length);
      });
      for (const link of links) expect(link.capacity).toBeGreaterThanOrEqual(1);
    },
  );
});

describe('the registry of crowd scenes', () => {
  it('contains the expected scenes', () => {
    expect(crowdScenes.map((scene) => scene.name)).toEqual([
      'circle',
      'blocks',
      'crossroads',
      'bottleneck',
      'counterflow',
      'same-goal',
      'storeys',
      'chase',
      'tile-swap',
      'link-jam',
      'link-landing',
      'town',
    ]);
    expect(denseCrowdScenes.map((scene) => scene.name)).toEqual([
      'evacuation',
      'open-flow',
      'rooms-flow',
      'storeys-flow',
      'junction',
      'idle-door',
      'spawn-pile',
      'corner-goal',
    ]);
  });

  it('has parameters: density, width, arms', () => {
    const extent = (setup: CrowdSetup): number => Math.max(...setup.level.positions);
    const open = findCrowdScene('open-flow');
    expect(extent(open.create(1, 300, { density: 0.2 }))).toBeGreaterThan(
      extent(open.create(1, 300, { density: 0.5 })),
    );
    const groups = (arms: number): number =>
      new Set(
        findCrowdScene('junction')
          .create(1, 48, { arms })
          .agents.map((agent) => agent.group),
      ).size;
    expect([groups(3), groups(4)]).toEqual([3, 4]);
  });

  it('finds scenes by name, and lists the choices for an unknown name', () => {
    expect(findCrowdScene('town').agents).toBe(1000);
    expect(() => findCrowdScene('atlantis')).toThrow(/no scene 'atlantis'.*circle/);
  });
});

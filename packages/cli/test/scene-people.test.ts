import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findNearest, loadNavMesh, saveNavMesh } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { crowdRuns } from 'navkiln/debug';
import { findLevelScene } from 'navkiln-scenes';
import { createSceneRun } from '../src/scene/drive.ts';
import { parseSceneText } from '../src/scene/parse.ts';
import { castScene } from '../src/scene/people.ts';
import type { SceneCast } from '../src/scene/people.ts';
import { sceneJsonSchema } from '../src/scene/schema.ts';
import { ROOT } from './cli.ts';

const HOUSE = findLevelScene('house');
const house = buildNavMesh(HOUSE.create(), HOUSE.options).navMesh;
const houseBytes = saveNavMesh(house);

function cast(agents: string, seed = 1, count?: number, mesh: NavMesh = house): SceneCast & { notes: string[] } {
  const notes: string[] = [];
  const document = parseSceneText(`version: 1\nlevels: [{scene: house}]\nagents:\n${agents}`, 'house.yaml');
  return { ...castScene(document, mesh, { seed, agents: count, note: (message) => void notes.push(message) }), notes };
}

const EVERYWHERE = 'within: {min: [0, -1, 0], max: [16, 9, 12]}';

describe('people within a region', () => {
  it('stand on the surface in it, with space for each, on all storeys', () => {
    for (const seed of [1, 2, 3]) {
      const circle = '  - {count: 5, within: {center: [3, 2.8, 3], radius: 2.5}, radius: 0.4}';
      const { people, notes } = cast(`  - {count: 60, ${EVERYWHERE}}\n${circle}\n  - {position: [8, 0, 10]}`, seed);
      const wide = 'its radius 0.4 exceeds the radius 0.25 that the mesh was baked for; it overlaps walls';
      expect(notes).toEqual([`house.yaml:5:68 agents[1]: ${wide}`]);
      expect(people.length).toBe(66);
      const storeys = [0, 0, 0, 0];
      people.forEach((a, i) => {
        const [x, y, z] = a.position;
        const ground = findNearest(house, a.position, { halfExtents: [0.01, 0.05, 0.01] });
        expect(ground.found && ground.distance < 1e-9).toBe(true);
        storeys[Math.round(y / 2.8)]++;
        if (a.entry === 0) expect(x >= 0 && x <= 16 && z >= 0 && z <= 12).toBe(true);
        if (a.entry === 1) {
          expect(Math.hypot(x - 3, z - 3)).toBeLessThanOrEqual(2.5);
          expect(Math.abs(y - 2.8)).toBeLessThan(1.5);
        }
        people.slice(i + 1).forEach((b) => {
          const apart = Math.hypot(b.position[0] - x, b.position[2] - z);
          if (Math.abs(b.position[1] - y) < 1.7)
            expect(apart).toBeGreaterThanOrEqual(1.1 * (a.radius + b.radius) - 1e-12);
        });
      });
      for (const storey of storeys.slice(0, 3)) expect(storey).toBeGreaterThan(8);
    }
  });

  it('depend on the seed only', () => {
    const places = (seed: number): string =>
      JSON.stringify(cast(`  - {count: 20, ${EVERYWHERE}}`, seed).people.map(({ position }) => position));
    expect(places(4)).toBe(places(4));
    expect(places(5)).not.toBe(places(4));
  });

  it('have the requested number, in proportion', () => {
    const entries = `  - {position: [8, 0, 10]}\n  - {count: 3, ${EVERYWHERE}}\n  - {position: [3, 0, 3]}\n  - {count: 6, ${EVERYWHERE}}`;
    const counts = (agents: number): number[] => {
      const { people } = cast(entries, 1, agents);
      return [0, 1, 2, 3].map((entry) => people.filter((person) => person.entry === entry).length);
    };
    expect(counts(29)).toEqual([1, 9, 1, 18]);
    expect(counts(11)).toEqual([1, 3, 1, 6]);
    expect(counts(3)).toEqual([1, 0, 1, 1]);
    expect(counts(1)).toEqual([1, 0, 0, 0]);
    for (let agents = 1; agents < 40; agents++) expect(counts(agents).reduce((sum, count) => sum + count)).toBe(agents);
  });
});

describe('the people of a scene', () => {
  it('choose all targets for random goals over time', () => {
    const targets =
      'targets: [{name: a, position: [3, 0, 3]}, {name: b, position: [13, 0, 3]}, {name: c, position: [0, 99, 0]}]';
    const { people, notes } = cast(`  - {count: 40, ${EVERYWHERE}, goal: random}\n${targets}`);
    expect(notes.length).toBe(1);
    const chosen = people.map(({ errand }) => (errand.kind === 'target' ? errand.target : -1));
    expect(chosen.filter((target) => target === 0).length).toBeGreaterThan(10);
    expect(chosen.filter((target) => target === 1).length).toBeGreaterThan(10);
    expect(chosen.every((target) => target === 0 || target === 1)).toBe(true);
  });

  it('need not arrive when they follow something that never rests, directly or not', () => {
    const { people } = cast(`  - {name: a, position: [8, 0, 10], follows: cart}
  - {name: b, position: [3, 0, 3], follows: a}
  - {name: c, position: [6, 0, 3], follows: d}
  - {name: d, position: [6, 0, 5], follows: c}
  - {position: [7, 0, 5], goal: [3, 0, 3]}
targets: [{name: cart, path: [[2, 0, 3], [5, 0, 3]], speed: 1, loop: true}]`);
    expect(people.map(({ mustArrive }) => mustArrive)).toEqual([false, false, true, true, true]);
  });

  it('move the same on a mesh that was loaded', () => {
    const run = (mesh: NavMesh): [string, number] => {
      const document = parseSceneText(
        `version: 1
levels: [{scene: house}]
targets: [{name: cart, path: [[2, 0, 3], [8, 0, 10], [13, 2.8, 3]], speed: 0.8}]
agents: [{count: 15, ${EVERYWHERE}, follows: cart}, {position: [8, 4, 10], goal: [3, 5.6, 3], run: true}]
gravity: 3
`,
        'house.yaml',
      );
      const people = castScene(document, mesh, { seed: 3, note: () => undefined });
      const { setup, world, createDriver } = createSceneRun(document.scene, mesh, people);
      const driver = createDriver(1 / 60);
      const running = crowdRuns.startCrowdRun(setup, { seconds: 10, unmeasured: true }, world, driver);
      while (crowdRuns.stepCrowdRun(running));
      return [driver.hash(), driver.searches() / people.people.length / 10];
    };
    const [hash, searches] = run(loadNavMesh(houseBytes));
    expect(run(loadNavMesh(houseBytes))[0]).toBe(hash);
    expect(run(house)[0]).toBe(hash);
    // Full searches a character and second.
    expect(searches).toBeLessThanOrEqual(1);
  });
});

describe('the documents', () => {
  const page = readFileSync(join(ROOT, 'docs/scene-file.md'), 'utf8');

  it('contain code that changes one place of a file and keeps its comments', async () => {
    const [, example] = /```yaml\n([^`]*)```/.exec(page)!;
    const [, code] = /```ts\n([^`]*)```/.exec(page)!;
    mkdirSync(join(ROOT, 'out'), { recursive: true });
    const folder = mkdtempSync(join(ROOT, 'out', 'scene-page-'));
    try {
      const file = join(folder, 'page.ts');
      const text = `const text = ${JSON.stringify(example)};`;
      writeFileSync(file, `${text}\n${code}\nexport { changed };\n`);
      const { changed } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { changed: string };
      const before = example!.split('\n');
      const differing = changed.split('\n').filter((line, i) => line !== before[i]);
      expect(differing.length).toBe(1);
      expect(differing[0]).toContain('[1, 0, 14]');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('contain a valid scene, and name every key', () => {
    const [, example] = /```yaml\n([^`]*)```/.exec(page)!;
    expect(parseSceneText(example!, 'doc.yaml').scene.agents!.length).toBe(3);
    const keys = (schema: Record<string, any>): string[] =>
      Object.keys(schema['properties']).filter((key) => key !== '$schema');
    const { properties: top, ...rest } = sceneJsonSchema() as Record<string, any>;
    const all = ['levels', 'links', 'targets', 'agents'].flatMap((list) => keys(top[list].items));
    for (const key of [...keys({ ...rest, properties: top }), ...all])
      expect(page, key).toMatch(new RegExp(`\`${key}[\`:]`));
  });
});

it('reading, writing and running scenes needs no Node', () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    expect(existsSync(file), file).toBe(true);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)[^;]*? from '([^']+)';/gm)) {
      expect(name, file).not.toMatch(/^node:/);
      if (name!.startsWith('.')) visit(join(dirname(file), name!));
    }
  };
  visit(join(ROOT, 'packages/cli/src/scene/shared.ts'));
  expect(seen.size).toBeGreaterThan(12);
});

/** The code of docs/three.md runs, top to bottom. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as three from 'three';
import { expect, it } from 'vitest';
import * as build from '../../../src/build.ts';
import * as debug from '../../../src/debug.ts';
import * as runtime from '../../../src/index.ts';
import * as threeEntry from '../../../src/three.ts';
import * as world from '../../../src/world.ts';

it('the guide to three.js runs as written', () => {
  const text = readFileSync(
    join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', '..', 'docs', 'three.md'),
    'utf8',
  );
  const blocks = [...text.matchAll(/```ts\n([^`]*)```/g)].map((match) => match[1]);
  expect(blocks.length).toBe(3);
  const modules: Record<string, object> = {
    three,
    navkiln: runtime,
    'navkiln/build': build,
    'navkiln/debug': debug,
    'navkiln/three': threeEntry,
    'navkiln/world': world,
  };
  const imported = blocks
    .join('\n')
    .replace(/import \{([^}]+)\} from '([^']+)';/g, (_, names: string, from: string) => {
      for (const name of names.split(',')) expect(Object.keys(modules[from]), from).toContain(name.trim());
      return `const {${names}} = modules['${from}'];`;
    });
  const run = new Function('modules', `${imported}\nreturn { path, line, navMesh, mesh, rebuiltTiles, agent, level };`);
  const { path, line, navMesh, mesh, rebuiltTiles, agent, level } = run(modules) as Record<string, any>;
  expect(path.status).toBe('complete');
  expect(level.report.triangleCount).toBe(12);
  expect(line.geometry.drawRange.count).toBe(2 * (path.points.length - 1));
  expect(navMesh.polyCount).toBeGreaterThan(0);
  expect(mesh.tileSlotCount).toBeGreaterThan(1);
  expect(rebuiltTiles.length).toBeGreaterThan(0);
  expect(agent.object.position.toArray()).toEqual([0.05, 0.5, 0]);
});

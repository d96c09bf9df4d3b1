/** Names of files and of objects in them may contain sequences that control a terminal. No command passes them on. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { jsonLine } from '../src/output/text.ts';
import { run } from './cli.ts';

const EVIL = 'x\u001b]0;owned\u0007\u009b2J\u001b[31m\u202ejbo\u200b\u0000'.replace('\0', '\u007f');
const folder = mkdtempSync(join(tmpdir(), `navkiln-${EVIL}-`));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, `${EVIL}${name}`);
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(at(name), content);
  return at(name);
};

// oxlint-disable-next-line no-control-regex -- the expression matches control characters
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

const FLOOR = `o ${EVIL}\nusemtl ${EVIL}\nv 0 0 0\nv 9 0 0\nv 9 0 9\nv 0 0 9\nf 1 4 3 2\n`;
const NAMED = { name: EVIL };
const gltf = (extra: object): string =>
  JSON.stringify({
    asset: { version: '2.0', ...NAMED },
    extensionsRequired: [EVIL],
    scenes: [{ nodes: [0], ...NAMED }],
    nodes: [{ mesh: 0, skin: 0, ...NAMED }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, mode: 1 }], ...NAMED }],
    ...extra,
  });
const tiled = JSON.stringify({
  type: 'map',
  orientation: EVIL,
  width: 2,
  height: 2,
  tilewidth: 1,
  tileheight: 1,
  layers: [{ type: EVIL, name: EVIL, id: 1, objects: [{ name: EVIL, type: EVIL }] }],
  tilesets: [{ source: `${EVIL}.tsx`, firstgid: 1 }],
});
const geojson = JSON.stringify({
  type: 'FeatureCollection',
  name: EVIL,
  features: [{ type: EVIL, properties: { name: EVIL, area: EVIL }, geometry: { type: EVIL, coordinates: [] } }],
});

it('in no output of any command, for names of files and of their content', async () => {
  const level = file('level.obj', FLOOR);
  const mesh = at('mesh.navmesh');
  const lines: string[][] = [
    ['bake', level, '-o', mesh, '--agent-radius', '0.4'],
    ['bake', level, '-o', mesh, '--json'],
    ['bake', level, '-o', at('surface.navmesh'), '--surface', '--svg', at('picture.svg')],
    ['bake', level, level, '-o', at('nowhere/mesh.navmesh')],
    ['bake', level, '-o', at('mesh.unknown')],
    ['bake', `${level}::${EVIL}=1`, '-o', mesh],
    ['bake', level, '-o', mesh, `--${EVIL}`],
    ['bake', level, '-o', mesh, '--partition', EVIL],
    ['bake', level, '-o', mesh, '--config', file('config.yaml', `agent:\n  "${'\\e[31m'}": 1\n${'a'}: !!${'x'} 1\n`)],
    [
      'bake',
      level,
      '-o',
      mesh,
      '--config',
      file('config.json', JSON.stringify({ [EVIL]: EVIL, agent: { [EVIL]: 1 } })),
    ],
    ['bake', at('missing.obj'), '-o', mesh],
    ['bake', file('bad.obj', `v ${EVIL} 0 0\nf ${EVIL}\n`), '-o', mesh],
    ['bake', file('odd.obj', `mtllib ${EVIL}\n${EVIL} 1\ncurv ${EVIL}\n${FLOOR}`), '-o', mesh],
    ['bake', file('bad.gltf', gltf({})), '-o', mesh],
    [
      'bake',
      file('none.gltf', gltf({ extensionsRequired: [], buffers: [{ uri: `${EVIL}.bin`, byteLength: 4 }] })),
      '-o',
      mesh,
    ],
    ['bake', file('cut.glb', `glTF${EVIL}`), '-o', mesh],
    ['bake', file('map.tmj', tiled), '-o', mesh],
    ['bake', file('map.geojson', geojson), '-o', mesh],
    ['bake', file('map.json', JSON.stringify({ polygons: EVIL, [EVIL]: 1 })), '-o', mesh],
    ['bake', file(`level.${EVIL}`, FLOOR), '-o', mesh],
    ['inspect', mesh],
    ['inspect', mesh, '--json'],
    ['inspect', level],
    ['inspect', at('bad.gltf')],
    ['validate', mesh],
    ['validate', mesh, '--json'],
    ['validate', file('bad.navmesh', EVIL)],
    ['path', mesh, '--from', '1,0,1', '--to', '8,0,8', '--svg', at('path.svg')],
    ['path', mesh, '--from', '1,0,1', '--to', EVIL],
    ['path', mesh, '--from', '1,0,1', '--to', '80,0,8', '--agent-type', EVIL],
    ['path', at('missing.navmesh'), '--from', '1,0,1', '--to', '8,0,8'],
    ['convert', mesh, at('mesh.obj')],
    ['convert', mesh, at(`mesh.${EVIL}`)],
    ['convert', file('bad.bin', EVIL), at('mesh2.obj')],
    ['crowd', EVIL],
    ['crowd', file('scene.yaml', `level: "\\e[31mx.obj"\n"\\e[31m": 2\n`)],
    ['crowd', file('scene2.yaml', `level: ./${'x'}.obj\nagents: [{ name: "\\e[31m", count: -1 }]\n`)],
    ['schema', EVIL],
    ['world', 'list', at('world')],
    ['world', 'gc', at('world')],
    ['world', 'publish', level, '-o', at('world'), '--tile-size', '4'],
    ['farm', 'status', at('world')],
    ['studio', at('missing.obj')],
    [EVIL],
    ['help', EVIL],
  ];
  let shown = 0;
  for (const line of lines) {
    const { status, stdout, stderr } = await run(line, folder);
    const what = JSON.stringify(line);
    expect(status, `${what}: ${stderr}`).not.toBe(70);
    expect(stdout, what).not.toMatch(CONTROL);
    expect(stderr, what).not.toMatch(CONTROL);
    if (/\\u\{1b\}|\\u001b/.test(stdout + stderr)) shown++;
    if (line.includes('--json') && status === 0) expect(stdout, what).toContain('\\u202e');
  }
  // Most commands name the file.
  expect(shown).toBeGreaterThan(lines.length / 2);
});

it('since all commands write through two functions', () => {
  const sources = fileURLToPath(new URL('../src/', import.meta.url));
  const writers = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') && /process\.std(out|err)\.write|console\./.test(readFileSync(join(sources, name), 'utf8')),
  );
  expect(writers).toEqual([join('output', 'print.ts')]);
});

it('and JSON still contains the names', () => {
  const value = { [EVIL]: [EVIL, '\n\t"'] };
  expect(jsonLine(value)).not.toMatch(CONTROL);
  expect(JSON.parse(jsonLine(value))).toEqual(value);
});

/** The parts of the studio that need no browser: links, undo, settings, kinds of files, colors. */
import { parseConfigText } from 'navkiln-cli/config-text';
import { describe, expect, it } from 'vitest';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CROWD_SCENES } from '../src/scenes/crowd-scenes.ts';
import { SCENES } from '../src/scenes/table.ts';
import { chooseMain, kindOfFile, unknownFile } from '../src/files/kinds.ts';
import { readFiles } from '../src/files/open.ts';
import { readSettingsText, settingsText } from '../src/files/settings-text.ts';
import { applySettings, readHash, writeHash } from '../src/state/hash.ts';
import { createHistory } from '../src/state/history.ts';
import {
  FIELDS,
  deriveConfig,
  differences,
  effectiveValue,
  faultOf,
  helpOf,
  labelOf,
  nameOf,
  readSetting,
  withSetting,
} from '../src/state/settings.ts';
import type { FieldValue } from '../src/state/settings.ts';
import { createState, farOrigin } from '../src/state/state.ts';
import type { Settings, StudioState } from '../src/state/state.ts';
import { createStore } from '../src/state/store.ts';
import { AREA_FILLS, DARK, LIGHT, areaColor, bytesOf } from '../src/view/palette.ts';

/** Returns a repeatable sequence of numbers from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
}

function randomSettings(random: () => number): Settings {
  return FIELDS.reduce<Settings>((settings, field) => {
    if (random() < 0.6) return settings;
    const { min = 0, max = 50, whole, kind, choices } = field;
    const number = min + (max - min) * random();
    const value: FieldValue =
      kind === 'choice'
        ? choices[Math.floor(random() * choices.length)]
        : kind === 'boolean'
          ? random() < 0.5
          : whole
            ? Math.round(number)
            : Number((number + 1e-3 * (max - min - number > 0.1 ? 1 : 0)).toPrecision(5));
    return faultOf(field, value) === undefined ? withSetting(settings, field, value) : settings;
  }, {});
}

const field = (name: string): (typeof FIELDS)[number] => FIELDS.find((one) => nameOf(one) === name)!;

describe('links', () => {
  it('restore settings, tool, layers and camera', () => {
    const seed = 20261121;
    const random = randomOf(seed);
    for (let round = 0; round < 200; round++) {
      const baseSettings = randomSettings(random);
      const state: StudioState = {
        ...createState(),
        source: { kind: 'scene', name: 'city', ...(round % 2 === 0 ? { seed: 1 + round } : {}) },
        baseSettings,
        settings: random() < 0.3 ? baseSettings : randomSettings(random),
        tool: 'path',
        cut: random() < 0.5 ? undefined : 2.5,
        layers: { level: random() < 0.5, 'tile-borders': true },
        toolStates: { path: { from: [1.5, 0, -2], to: [random(), 1e-7, 3], note: 'a&b=c#d ü %' } },
        camera: { position: [Number((100 * random()).toFixed(2)), 5, 6.25], target: [-1, 0, 2] },
      };
      const link = readHash(writeHash(state, 'look'));
      expect(link.faults, `seed ${seed}, round ${round}`).toEqual([]);
      expect(link.source).toEqual(state.source);
      expect(applySettings(baseSettings, link), `seed ${seed}, round ${round}`).toEqual(state.settings);
      expect(link).toMatchObject({
        tool: 'path',
        layers: state.layers,
        cut: state.cut,
        toolStates: state.toolStates,
        camera: state.camera,
      });
    }
  });

  it('in the documentation name scenes and settings that exist', () => {
    const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));
    const links = readdirSync(docs)
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => [...readFileSync(`${docs}${name}`, 'utf8').matchAll(/studio\.md(#[^)\s]*=[^)\s]*)/g)])
      .map(([, hash]) => hash!);
    expect(links.length).toBeGreaterThan(5);
    const scenes = [...SCENES, ...CROWD_SCENES].map(({ name }) => name);
    const known = [...FIELDS.map(nameOf), 'scene', 'tool', 'layers'];
    for (const hash of links) {
      const link = readHash(hash);
      expect(link.faults, hash).toEqual([]);
      expect(scenes, hash).toContain(link.source?.kind === 'scene' ? link.source.name : undefined);
      expect(known, hash).toEqual(
        expect.arrayContaining(
          hash
            .slice(1)
            .split('&')
            .map((part) => part.split('=')[0]),
        ),
      );
    }
  });

  it('report damaged entries and restore the others', () => {
    const link = readHash(
      '#scene=dungeon&cellSize=-1&agent.maxSlopeDegrees=95&partition=x&camera=1,2&tool.path={&x=%E0%A4%A&unknown=1',
    );
    expect(link.source).toEqual({ kind: 'scene', name: 'dungeon' });
    expect(link.settings).toEqual([]);
    expect(link.faults.join(' ')).toMatch(/cell size must be above 0.*max slope must be at most 90.*one of watershed/s);
    expect(link.faults).toHaveLength(6);
  });

  it('are empty for files', () => {
    expect(writeHash({ ...createState(), source: { kind: 'files', names: ['a.glb'] } }, 'look')).toBe('');
  });
});

describe('undo', () => {
  it('undoes and redoes edits, and joins quick edits of one name', () => {
    let time = 0;
    const store = createStore(createState());
    const history = createHistory(store, () => time);
    const set = (name: string, value: number): void =>
      history.edit(name, { settings: withSetting(store.get().settings, field(name), value) });
    set('cellSize', 0.3);
    time += 100;
    set('cellSize', 0.4);
    time += 100;
    set('agent.radius', 1);
    time += 5000;
    set('agent.radius', 2);
    expect([history.undo(), store.get().settings]).toEqual(['agent.radius', { cellSize: 0.4, agent: { radius: 1 } }]);
    expect([history.undo(), history.undo(), store.get().settings]).toEqual(['agent.radius', 'cellSize', {}]);
    expect([history.undo(), history.canUndo(), history.canRedo()]).toEqual([undefined, false, true]);
    expect([history.redo(), store.get().settings]).toEqual(['cellSize', { cellSize: 0.4 }]);
    set('tileSize', 9);
    expect([history.canRedo(), history.redo()]).toEqual([false, undefined]);
  });

  it('ignores an edit that changes nothing', () => {
    const store = createStore(createState());
    const history = createHistory(store);
    history.edit('nothing', { settings: store.get().settings });
    expect(history.canUndo()).toBe(false);
  });
});

describe('settings', () => {
  it.each(FIELDS.map((one) => [nameOf(one), one] as const))(
    '%s has a label and a help sentence, and a unit when it is a number',
    (name, one) => {
      const help = helpOf(one);
      expect(help).toMatch(/^[A-Z0-9].{15,}\.$/);
      expect(help).toMatch(/Default: /);
      expect(labelOf(one)).toMatch(/^[a-z ]+$/);
      if (one.kind === 'number') {
        expect(one.unit, `${name} needs a unit in the schema`).toBeDefined();
        expect(one.min, `${name} needs a lower limit in the schema`).toBeDefined();
      }
      const store = withSetting({}, one, effectiveValue(one, {}, undefined));
      expect(readSetting(withSetting(store, one, undefined), one)).toBeUndefined();
      expect(differences(store, {}).map((difference) => difference.field)).toEqual([one]);
    },
  );

  it('that are not set show the value that the bake derives', () => {
    const settings: Settings = { agent: { radius: 0.6, height: 2, maxClimb: 0.4, maxSlopeDegrees: 45 } };
    const shown = (name: string): FieldValue => effectiveValue(field(name), settings, deriveConfig(settings));
    expect(shown('cellSize')).toBe(0.3);
    expect(shown('cellHeight')).toBeCloseTo(0.4 / 3);
    expect(shown('regionMinArea')).toBeCloseTo(64 * 0.09);
    expect(shown('filterLedges')).toBe(true);
    expect(shown('partition')).toBe('watershed');
  });

  it('are checked against the limits of the schema', () => {
    expect(faultOf(field('cellSize'), 0)).toBe('cell size must be above 0');
    expect(faultOf(field('agent.maxSlopeDegrees'), 91)).toBe('max slope must be at most 90');
    expect(faultOf(field('maxVerticesPerPoly'), 6.5)).toMatch(/whole/);
    expect(faultOf(field('tileSize'), NaN)).toMatch(/number/);
    expect(faultOf(field('tileSize'), 0)).toBeUndefined();
  });

  it('survive a round trip through the YAML of the command line', async () => {
    const seed = 7;
    const random = randomOf(seed);
    for (let round = 0; round < 60; round++) {
      const settings = randomSettings(random);
      const edits = {
        volumes: [{ type: 'box' as const, area: 3, min: [0, 0, 0], max: [1, random(), 1] }],
        links: [{ start: [0, 0, 0], end: [1, 2, 3] }],
        seeds: [],
      };
      const text = await settingsText({
        ...createState(),
        source: { kind: 'files', names: ['crypt.glb'] },
        settings,
        edits,
      });
      const { volumes, links, levels, ...config } = parseConfigText(text, 'settings.yaml');
      expect({ config, volumes, links, levels }, `seed ${seed}, round ${round}`).toEqual({
        config: settings,
        volumes: edits.volumes,
        links: edits.links,
        levels: ['crypt.glb'],
      });
      expect(readSettingsText(text, 'settings.yaml')).toMatchObject({ settings, edits });
    }
  });

  it('with mistakes are refused with the line and a remedy', () => {
    expect(() => readSettingsText('agent:\n  radus: 1\n', 'x.yaml')).toThrow(
      'x.yaml:2:3 agent.radus: unknown key; did you mean "radius"?',
    );
  });
});

describe('kinds of files', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text.padEnd(16));
  const choose = (...names: string[]): string | undefined => {
    const choice = chooseMain(names.map((name) => ({ name, head: bytes(name.endsWith('.bin') ? 'buffer' : '{') })));
    return typeof choice === 'string' ? choice : names[choice.index];
  };

  it('opens the dropped file that needs the others', () => {
    expect(choose('crypt.bin', 'crypt.gltf', 'stone.png')).toBe('crypt.gltf');
    expect(choose('crypt.mtl', 'crypt.obj')).toBe('crypt.obj');
    expect(choose('tiles.json', 'town.tmj')).toBe('town.tmj');
    expect(choose('town.json')).toBe('town.json');
  });

  it('recognizes a .bin mesh by its first bytes', () => {
    expect(kindOfFile('a.bin', bytes('TESM'))?.id).toBe('detour');
    expect(choose('crypt.bin')).toMatch(/not a Detour mesh.*together/);
  });

  it('refuses files that are too large before reading them', async () => {
    const huge = {
      name: 'world.glb',
      size: 3 * 2 ** 30,
      slice: () => new Blob(['glTF']),
      arrayBuffer: () => Promise.reject(new Error('read')),
    };
    await expect(readFiles([huge as unknown as File])).rejects.toThrow(
      /world\.glb has 3072 MB; the limit of a page is 1024 MB\. .*navkiln bake/,
    );
  });

  it('gives a remedy for other files', () => {
    expect(unknownFile('hall.fbx')).toMatch(/hall\.fbx cannot be read: export it as GLB.*\.glb/);
    expect(unknownFile('notes')).toMatch(/not a file that the studio can open/);
    const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46]);
    expect(chooseMain([{ name: 'photo.glb', head: jpeg }])).toBe(
      'photo.glb is a JPEG picture, whatever its name says: its content is not .glb. Export or copy it again.',
    );
    expect(chooseMain([{ name: 'a.obj', head: new Uint8Array([0, 1]) }])).toMatch(/a\.obj is another kind of file/);
    expect(choose()).toMatch(/no files/);
  });
});

describe('colors', () => {
  // Machado, Oliveira, Fernandes: "A Physiologically-based Model for Simulation of Color Vision Deficiency",
  // 2009, severity 1.
  const VISIONS: Readonly<Record<string, readonly number[]>> = {
    full: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
    tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
    none: [0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722],
  };
  const linear = (color: string): number[] =>
    bytesOf(color).map((byte) => (byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4));
  const see = (color: string, vision: string): number[] => {
    const rgb = linear(color);
    const m = VISIONS[vision];
    return [0, 1, 2].map((row) => Math.max(0, m[3 * row] * rgb[0] + m[3 * row + 1] * rgb[1] + m[3 * row + 2] * rgb[2]));
  };
  /** CIE lightness, 0 .. 100. */
  const lightness = (rgb: readonly number[]): number => {
    const y = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
  };
  const contrast = (a: string, b: string): number => {
    const [x, y] = [a, b].map(
      (color) => 0.2126 * linear(color)[0] + 0.7152 * linear(color)[1] + 0.0722 * linear(color)[2],
    );
    return (Math.max(x!, y!) + 0.05) / (Math.min(x!, y!) + 0.05);
  };

  it.each(Object.keys(VISIONS))('areas differ in lightness: %s', (vision) => {
    for (const palette of [LIGHT, DARK]) {
      const seen = [...AREA_FILLS, palette.ground].map((color) => lightness(see(color, vision))).sort((a, b) => a - b);
      for (let i = 1; i < seen.length; i++)
        expect(seen[i] - seen[i - 1], `${i}: ${seen.map(Math.round).join(' ')}`).toBeGreaterThan(6);
    }
  });

  it('consecutive area ids differ in lightness', () => {
    for (let area = 1; area < 62; area++) {
      const [a, b] = [area, area + 1].map((id) => lightness(linear(areaColor(LIGHT, id))));
      expect(Math.abs(a! - b!)).toBeGreaterThan(12);
    }
  });

  it('lines contrast with their background', () => {
    for (const palette of [LIGHT, DARK]) {
      expect(contrast(palette.path, palette.halo)).toBeGreaterThan(4);
      for (const line of [palette.wall, palette.start, palette.end])
        expect(contrast(line, palette.background)).toBeGreaterThan(3);
      expect(contrast(palette.wall, palette.ground)).toBeGreaterThan(2.5);
    }
  });
});

it('levels far from the origin are drawn near it', () => {
  expect(farOrigin({ min: [0, 0, 0], max: [100, 5, 100] })).toEqual([0, 0, 0]);
  expect(farOrigin({ min: [100_000, 0, -50], max: [100_100, 5, 50] })).toEqual([100_352, 0, 0]);
});

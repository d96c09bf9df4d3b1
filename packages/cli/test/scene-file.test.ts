import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseSceneText } from '../src/scene/parse.ts';
import { sceneJsonSchema } from '../src/scene/schema.ts';
import { moveTarget, pathOfTarget } from '../src/scene/target-path.ts';
import type { SceneAgent, SceneFile, SceneLevel, ScenePoint, SceneTarget } from '../src/scene/types.ts';
import { formatScene, writeScene } from '../src/scene/write.ts';
import { ROOT } from './cli.ts';

const EXAMPLE = readFileSync(join(ROOT, 'examples/town.yaml'), 'utf8');

function refusal(text: string, path = 'town.yaml'): string {
  try {
    parseSceneText(text, path);
  } catch (error) {
    expect((error as Error).name, (error as Error).stack).toBe('InputError');
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}

const WHOLE: SceneFile = {
  $schema: './scene.schema.json',
  version: 1,
  title: 'all there is: "yes", # and no',
  levels: [
    { file: 'a.obj', position: [1, -2, 3e-7], rotation: 90, scale: -2, swapYZ: true },
    { scene: 'house', rotation: [0, 90, 0], scale: [1, 2, -1] },
    { file: 'sub/b.glb', rotation: [0, 0, 0, 1] },
  ],
  build: 'voxel',
  slope: 40,
  step: 0.3,
  gravity: 0,
  bake: {
    agent: { radius: 0.5, height: 2 },
    cellSize: 0.25,
    cellHeight: 0.125,
    tileSize: 16,
    partition: 'layers',
    strict: true,
    bounds: { min: [-1, -1, -1], max: [9, 9, 9] },
    volumes: [{ type: 'box', area: 0, min: [0, 0, 0], max: [1, 1, 1] }],
  },
  links: [
    {
      start: [0, 0, 0],
      end: [
        [1, 0, 0],
        [1, 0, 2],
      ],
      bothWays: true,
      radius: 1,
      area: 3,
      cost: 0,
      enabled: false,
      capacity: 2,
      seconds: 0.5,
    },
  ],
  targets: [
    { name: 'a', position: [0, 0, 0], endsAt: 3 },
    {
      name: '12',
      path: [
        [0, 0, 0],
        [1, 0, 1],
      ],
      speed: 2,
      loop: true,
      startsAt: 1,
      endsAt: 5,
    },
  ],
  agents: [
    {
      name: 'b',
      position: [1, 0, 1],
      radius: 0.3,
      height: 1.7,
      walkSpeed: 1,
      runSpeed: 2,
      run: true,
      acceleration: 4,
      deceleration: 6,
      maxTurnDegrees: 180,
      priority: 1,
      goal: [5, 0, 5],
    },
    { count: 5, within: { center: [0, 0, 0], radius: 4 }, follows: 'b', distance: 2 },
    { count: 2, within: { min: [0, 0, 0], max: [1, 1, 1] }, goal: 'a' },
    { position: [2, 0, 2], goal: 'random' },
  ],
  respawn: 'spawn',
  seconds: 12.5,
  seed: 0xffffffff,
};

describe('a scene file', () => {
  it('expresses the whole format, in YAML and in JSON', () => {
    for (const text of [JSON.stringify(WHOLE, null, '\t'), formatScene(WHOLE), formatScene(WHOLE, 'json')]) {
      expect(parseSceneText(text, 'town.yaml').scene).toStrictEqual(WHOLE);
    }
    expect(parseSceneText(JSON.stringify(WHOLE), 'town.json')).toMatchObject({ isJson: true, scene: WHOLE });
    const surface = {
      version: 1,
      levels: [{ file: 'a.obj' }],
      build: 'surface',
      bake: { surface: { weldTolerance: 0.1 }, tileSize: 4 },
    };
    expect(parseSceneText(JSON.stringify(surface), 'a.json').scene).toStrictEqual(surface);
  });

  it('supports anchors', () => {
    const { scene } = parseSceneText('version: 1\nlevels: [&a {file: a.obj}, *a]\n', 'a.yaml');
    expect(scene.levels).toEqual([{ file: 'a.obj' }, { file: 'a.obj' }]);
  });

  const level = 'version: 1\nlevels: [{file: a.obj}]\n';
  it.each([
    ['', 'town.yaml:1:1 a scene must be a map of keys and values (it is empty); start the file with "version: 1"'],
    ['# only words', 'town.yaml:1:1 a scene must be'],
    ['[1, 2]', '(got [1,2])'],
    ['levels: []', 'town.yaml:1:1 version: missing; start the file with "version: 1"'],
    ['version: 0\nlevel: x', 'town.yaml:1:10 version: this file has version 0; this navkiln reads version 1'],
    [
      '# c\nversion: 2\nworlds: []',
      'town.yaml:2:10 version: this file has version 2; this navkiln reads version 1; update navkiln',
    ],
    ['version: 9.0', 'version: this file has version 9; this navkiln reads version 1'],
    ['version: "1"', 'town.yaml:1:10 version: must be a number (got "1")'],
    ['version: 1', 'town.yaml:1:1 levels: must be a list (it is missing)'],
    ['version: 1\nlevels: []', 'town.yaml:2:9 levels: must have at least 1 entries (got [])'],
    // A file of a few kilobytes would bake for minutes.
    [
      `version: 1\nlevels:\n${'  - scene: terrain\n'.repeat(257)}`,
      'town.yaml:3:3 levels: must have at most 256 entries (got [{"scene":"terrain"},{"scene":"terrain"},{"scene":"terrai…)',
    ],
    ['version: 1\nlevels: [{fil: a.obj}]', 'town.yaml:2:11 levels[0].fil: unknown key; did you mean "file"?'],
    [
      'version: 1\nlevels:\n  - position: [0, 0, 0]',
      'town.yaml:3:5 levels[0]: must have a file, or the scene of a bundled level',
    ],
    ['version: 1\nlevels: [{file: a, scene: b}]', 'town.yaml:2:20 levels[0].scene: and file exclude each other'],
    ['version: 1\nlevels: [{file: a, scale: 0}]', 'town.yaml:2:27 levels[0].scale: must not be 0 (got 0)'],
    [
      'version: 1\nlevels: [{file: a, scale: [1, 0, 0]}]',
      'town.yaml:2:27 levels[0].scale: must not be 0 along more than one axis',
    ],
    ['version: 1\nlevels: [{file: a, scale: 1e-200}]', 'levels[0].scale: must be larger; it flattens the level'],
    [
      'version: 1\nlevels: [{file: a, rotation: [0, 0, 0, 0]}]',
      'levels[0].rotation: must be a quaternion whose length is not 0',
    ],
    ['version: 1\nlevels: [{file: a, rotation: [0, 1]}]', 'town.yaml:2:30 levels[0].rotation: must be degrees about y'],
    ['version: 1\nlevels: [{file: a, position: .inf}]', 'levels[0].position: must be a list of numbers'],
    [`${level}grafity: 9`, 'town.yaml:3:1 grafity: unknown key; did you mean "gravity"?'],
    [`${level}bake:\n  agent:\n    raduis: 1`, 'town.yaml:5:5 bake.agent.raduis: unknown key; did you mean "radius"?'],
    [`${level}bake: {levels: [a]}`, 'town.yaml:3:8 bake.levels: unknown key'],
    [
      `${level}bake: {agent: {maxClimb: 1}}\nstep: 1`,
      'town.yaml:3:16 bake.agent.maxClimb: means the same as step above',
    ],
    [
      `${level}build: surface\nbake: {cellSize: 1}`,
      'town.yaml:4:8 bake.cellSize: only applies to build: voxel; remove it',
    ],
    [`${level}bake: {surface: {}}`, 'town.yaml:3:8 bake.surface: only applies to build: surface; remove it'],
    [`${level}build: voxels`, 'town.yaml:3:8 build: must be one of voxel, surface (got "voxels")'],
    [`${level}slope: 91`, 'town.yaml:3:8 slope: must be <= 90 (got 91)'],
    [`${level}gravity: -1`, 'gravity: must be >= 0 (got -1)'],
    [`${level}respawn: here`, 'respawn: must be one of nearest, spawn, remove, none'],
    [
      `${level}links: [{start: [0, 0], end: [0, 0, 0]}]`,
      'town.yaml:3:17 links[0].start: must be [x, y, z], or a segment',
    ],
    [`${level}links: [{start: [0, 0, 0], end: [0, 0, 0], capacity: 0}]`, 'links[0].capacity: must be >= 1 (got 0)'],
    [`${level}targets: [{name: a}]`, 'town.yaml:3:11 targets[0]: must have a position, or a path with a speed'],
    [`${level}targets: [{name: a, path: [[0, 0, 0], [1, 0, 0]]}]`, 'targets[0]: must have a speed'],
    [
      `${level}targets: [{name: a, path: [[1, 0, 0], [1, 0, 0]], speed: 1}]`,
      'targets[0].path: must have two points that differ',
    ],
    [`${level}targets: [{name: a, path: [[1, 0, 0]], speed: 1}]`, 'targets[0].path: must have at least 2 entries'],
    [`${level}targets: [{name: a, position: [0, 0, 0], speed: 1}]`, 'targets[0].speed: only applies with a path'],
    [
      `${level}targets:\n  - {name: a, position: [0, 0, 0]}\n  - {name: a, position: [1, 0, 0]}`,
      'town.yaml:5:12 targets[1].name: "a" is also the name of targets[0]',
    ],
    [`${level}targets: [{name: random, position: [0, 0, 0]}]`, '"random" means any target'],
    [
      `${level}agents: [{position: [0, 0, 0], goal: fontain}]\ntargets: [{name: fountain, position: [0, 0, 0]}]`,
      'town.yaml:3:38 agents[0].goal: no target "fontain"; did you mean "fountain"?',
    ],
    [`${level}agents: [{position: [0, 0, 0], goal: random}]`, 'agents[0].goal: is random, but there are no targets'],
    [`${level}agents: [{position: [0, 0, 0], name: a, follows: a}]`, 'agents[0].follows: must not be the agent itself'],
    [`${level}agents: [{position: [0, 0, 0], follows: b}, {position: [0, 0, 0], name: a}]`, 'no target or agent "b"'],
    [`${level}agents: [{goal: [0, 0, 0]}]`, 'agents[0]: must have a position, or within'],
    [`${level}agents: [{position: [0, 0, 0], count: 3}]`, 'agents[0].count: only applies with within'],
    [
      `${level}agents: [{within: {center: [0, 0, 0]}}]`,
      'agents[0].within: must be a circle { center, radius } or a box { min, max }',
    ],
    [`${level}agents: [{within: {min: [0, 0, 0], max: [1, -1, 1]}}]`, 'agents[0].within.max: must not be below min'],
    [
      `${level}agents: [{position: [0, 0, 0], walkSpeed: 2, runSpeed: 1}]`,
      'agents[0].runSpeed: must not be less than walkSpeed',
    ],
    [
      `${level}agents: [{position: [0, 0, 0], goal: 5}]`,
      'agents[0].goal: must be [x, y, z], the name of a target, or random (got 5)',
    ],
    [
      `${level}agents: [{position: [0, 0, 0], goal: [0, 0, 0], distance: 1}]`,
      'agents[0].distance: only applies with follows',
    ],
    [`${level}seed: 1.5`, 'seed: must be a whole number (got 1.5)'],
    [`${level}seconds: 0`, 'seconds: must be > 0 (got 0)'],
    [`${level}a: 1\na: 2`, 'town.yaml:4:1 not valid YAML or JSON: Map keys must be unique'],
    [`${level}a: [1`, 'not valid YAML or JSON'],
    [`${level}a: *b`, 'not valid YAML or JSON'],
    [`${level}__proto__: {a: 1}`, '__proto__: unknown key'],
  ])('%j is refused with its position', (text, message) => expect(refusal(text)).toContain(message));

  it('lists all errors, each with its position', () => {
    expect(refusal(`${level}slope: -1\nstep: -1\nfoo: 1`).split('\n')).toEqual([
      'town.yaml:3:8 slope: must be >= 0 (got -1)',
      'town.yaml:4:7 step: must be >= 0 (got -1)',
      expect.stringMatching(/^town\.yaml:5:1 foo: unknown key; known: version, title, levels, /),
    ]);
  });

  it('with the extension .json must be JSON', () => {
    expect(refusal(level, 'town.json')).toMatch(/^town\.json: not valid JSON: .*; use the extension \.yaml for YAML$/);
    expect(refusal('{"version": 1, "levels": [{"file": "a.obj", "x": 1}]}', 'town.json')).toContain(
      'town.json:1:45 levels[0].x: unknown key',
    );
  });
});

describe('written again', () => {
  it('is the same text when nothing has changed', () => {
    const document = parseSceneText(EXAMPLE, 'town.yaml');
    expect(writeScene(document, document.scene)).toBe(EXAMPLE);
    expect(writeScene(document, structuredClone(document.scene))).toBe(EXAMPLE);
  });

  it('changes only the characters of changed values', () => {
    const document = parseSceneText(EXAMPLE, 'town.yaml');
    const scene = structuredClone(document.scene);
    scene.slope = 35;
    scene.targets![0].position = [0, 0, 15.5];
    scene.agents![1].within = { center: [-17, 0, 0], radius: 2 };
    expect(writeScene(document, scene)).toBe(
      EXAMPLE.replace('slope: 40', 'slope: 35')
        .replace('[0, 0, 14]', '[0, 0, 15.5]')
        .replace('[-17.5, 0, 0]', '[-17, 0, 0]'),
    );
  });

  it('keeps comments when entries are added and removed', () => {
    const document = parseSceneText(EXAMPLE, 'town.yaml');
    const scene = structuredClone(document.scene);
    scene.targets!.push({ name: 'well', position: [1, 0, 1] });
    scene.levels.unshift({ scene: 'house' });
    delete scene.seed;
    scene.bake!.tileSize = 8;
    scene.agents!.splice(2, 1);
    const text = writeScene(document, scene);
    expect(parseSceneText(text, 'town.yaml').scene).toStrictEqual(scene);
    const comments = EXAMPLE.match(/# .*/g)!;
    expect(comments.length).toBeGreaterThan(7);
    for (const comment of comments) expect(text).toContain(comment);
    // Unchanged lines are as they were, except for the spaces around brackets and comments.
    const squeezed = new Set(text.split('\n').map((line) => line.replaceAll(' ', '')));
    const lost = EXAMPLE.split('\n')
      .map((line) => line.replaceAll(' ', ''))
      .filter((line) => !squeezed.has(line));
    expect(lost).toEqual([
      '-name:townspeople',
      'count:20',
      'within:{min:[-7,0,-18],max:[7,0,-6]}',
      'goal:fountain',
      'seed:7',
    ]);
  });

  it('stays JSON with its spacing', () => {
    const text = JSON.stringify(WHOLE, null, 4);
    const document = parseSceneText(text, 'a.json');
    const scene = structuredClone(WHOLE);
    scene.seconds = 99;
    expect(writeScene(document, scene)).toBe(text.replace('12.5', '99'));
    scene.targets!.pop();
    expect(writeScene(document, scene)).toBe(`${JSON.stringify(scene, null, 4)}\n`);
  });

  it('handles aliases', () => {
    const document = parseSceneText('version: 1\nlevels:\n  - &a {file: a.obj, scale: 2} # one\n  - *a\n', 'a.yaml');
    const scene = structuredClone(document.scene);
    scene.levels[1] = { file: 'a.obj', scale: 3 };
    expect(parseSceneText(writeScene(document, scene), 'a.yaml').scene).toStrictEqual(scene);
    scene.levels[0] = { file: 'b.obj', scale: 2 };
    expect(parseSceneText(writeScene(document, scene), 'a.yaml').scene).toStrictEqual(scene);
  });

  it('refuses values that no file can hold', () => {
    expect(() => formatScene({ ...WHOLE, version: 2 as 1 })).toThrow('version 2');
    expect(() => formatScene({ ...WHOLE, seconds: Infinity })).toThrow('seconds');
  });
});

/** Whole scenes at random, of which everything that may be left away is, now and then. */
function createScenes(seed: number): {
  scene: () => SceneFile;
  change: (scene: SceneFile) => SceneFile;
  pick: (n: number) => number;
} {
  let state = seed >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state >>> 8) & 0xffffff) / 0x1000000;
  };
  const pick = (n: number): number => Math.floor(random() * n);
  const number = (): number => [0, -0, 1, 0.1, -1e21, 1e-7, 123456789.125, random() * 100 - 50, pick(100)][pick(9)];
  const above = (): number => [1, 0.1, 1e-7, 1e21, random() * 10 + 0.01][pick(5)];
  const point = (): ScenePoint => [number(), number(), number()];
  const words = [
    'yes',
    'null',
    '1',
    '1e3',
    '#a',
    'a: b',
    ' pad ',
    'ü→日',
    "it's",
    '"q"',
    '- x',
    'a\nb',
    '~',
    '0x10',
    '2020-01-01',
    '*a',
    '&b',
    '!t',
    '{',
    '}',
  ];
  const word = (): string => `${words[pick(words.length)]}${pick(2) > 0 ? pick(1000) : ''}`;
  const some = <T>(make: () => T): { value?: T } => (pick(2) > 0 ? { value: make() } : {});
  const maybe = <K extends string, T>(key: K, make: () => T): Record<K, T> => {
    const { value } = some(make);
    return (value === undefined ? {} : { [key]: value }) as Record<K, T>;
  };
  const level = (): SceneLevel => ({
    ...(pick(2) > 0 ? { file: word() } : { scene: word() }),
    ...maybe('position', point),
    ...maybe('rotation', () => [number(), point(), [0, number(), 0, 1] as [number, number, number, number]][pick(3)]),
    ...maybe('scale', () => (pick(2) > 0 ? above() : ([above(), -above(), above()] as ScenePoint))),
    ...maybe('swapYZ', () => pick(2) > 0),
  });
  const target = (name: string): SceneTarget =>
    pick(2) > 0
      ? { name, position: point(), ...maybe('endsAt', above) }
      : { name, path: [[0, 0, 0], [1, number(), 1], point()], speed: above(), ...maybe('loop', () => pick(2) > 0) };
  const agent = (name: string, names: string[]): SceneAgent => {
    const place: SceneAgent =
      pick(2) > 0
        ? { position: point() }
        : {
            within: pick(2) > 0 ? { center: point(), radius: above() } : { min: [0, 0, 0], max: [1, above(), 1] },
            ...maybe('count', () => pick(99) + 1),
          };
    const errand: SceneAgent = [
      {},
      { goal: point() },
      names.length > 0 ? { goal: 'random' } : {},
      names.length > 0 ? { goal: names[pick(names.length)] } : {},
      names.length > 0 ? { follows: names[pick(names.length)], ...maybe('distance', above) } : {},
    ][pick(5)];
    return {
      ...(pick(2) > 0 ? { name } : {}),
      ...place,
      ...maybe('radius', above),
      ...maybe('run', () => true),
      ...errand,
    };
  };
  const scene = (): SceneFile => {
    const names = Array.from({ length: pick(4) }, (_, i) => `${word()} ${i}`);
    return {
      version: 1,
      ...maybe('title', word),
      levels: Array.from({ length: 1 + pick(3) }, level),
      ...maybe('slope', () => pick(91)),
      ...maybe('bake', () => ({ ...maybe('agent', () => ({ radius: above() })), ...maybe('cellSize', above) })),
      ...maybe('links', () => [{ start: point(), end: [point(), point()] as [ScenePoint, ScenePoint] }]),
      targets: names.map(target),
      agents: Array.from({ length: pick(5) }, (_, i) => agent(`agent ${word()} ${i}`, names)),
      ...maybe('seed', () => pick(1e9)),
    };
  };
  /** Another scene that shares much with it. */
  const change = (from: SceneFile): SceneFile => {
    const other = scene();
    const to = structuredClone(from);
    for (let k = 1 + pick(3); k > 0; k--) {
      const way = pick(6);
      if (way === 0) to.levels = other.levels;
      else if (way === 1) to.levels.splice(pick(to.levels.length + 1), 0, level());
      else if (way === 2 && to.levels.length > 1) to.levels.splice(pick(to.levels.length), 1);
      else if (way === 3) to.levels[pick(to.levels.length)].position = point();
      else if (way === 4) to.slope = pick(91);
      else if (other.bake === undefined) delete to.bake;
      else to.bake = other.bake;
    }
    return to;
  };
  return { scene, change, pick };
}

describe('random scenes', () => {
  const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261121);
  it(`survive a round trip, also after changes (seed ${SEED})`, () => {
    const { scene, change, pick } = createScenes(SEED);
    const rounds = Number(process.env['NAVKILN_SCENE_ROUNDS'] ?? 40);
    for (let round = 0; round < rounds; round++) {
      const x = scene();
      const kind = pick(2) > 0 ? 'yaml' : 'json';
      const path = `scene.${kind}`;
      // JSON has no -0.
      const wanted = (of: SceneFile): SceneFile =>
        kind === 'json' ? (JSON.parse(JSON.stringify(of)) as SceneFile) : of;
      const text = formatScene(wanted(x), kind);
      const document = parseSceneText(text, path);
      expect(document.scene, `round ${round}`).toStrictEqual(wanted(x));
      expect(kind === 'json' ? JSON.parse(text) : parse(text), `round ${round}`).toStrictEqual(wanted(x));
      const y = wanted(change(document.scene));
      const written = writeScene(document, y);
      expect(parseSceneText(written, path).scene, `round ${round}\n${text}\n${written}`).toStrictEqual(y);
      expect(writeScene(parseSceneText(written, path), y)).toBe(written);
    }
  });
});

describe('damaged text', () => {
  const SEED = Number(process.env['NAVKILN_SEED'] ?? 7);
  it(`is refused with a message, or gives a scene that survives a round trip (seed ${SEED})`, () => {
    const { pick } = createScenes(SEED);
    const bits = [
      '\n',
      '  ',
      ':',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '#',
      '"',
      "'",
      '&a ',
      '*a',
      '!!',
      '|',
      '>',
      '%',
      '\t',
      '\0',
      '\ud800',
      '-',
      '1e999',
      '? ',
      '---',
      'é',
    ];
    const rounds = Number(process.env['NAVKILN_SCENE_ROUNDS'] ?? 120);
    let good = 0;
    for (let round = 0; round < rounds; round++) {
      const path = pick(3) === 0 ? 'a.json' : 'a.yaml';
      let text = path === 'a.json' ? JSON.stringify(WHOLE, null, 1) : EXAMPLE;
      for (let k = pick(3); k >= 0; k--) {
        const from = pick(text.length);
        text = text.slice(0, from) + [bits[pick(bits.length)], ''][pick(2)] + text.slice(from + pick(4));
      }
      try {
        const document = parseSceneText(text, path);
        expect(writeScene(document, structuredClone(document.scene))).toBe(text);
        const scene = { ...structuredClone(document.scene), seed: 3 };
        expect(parseSceneText(writeScene(document, scene), path).scene).toStrictEqual(scene);
        good++;
      } catch (error) {
        expect((error as Error).name, `round ${round}: ${(error as Error).stack}\n${text}`).toBe('InputError');
        expect((error as Error).message).toMatch(/^a\.(yaml|json):/);
      }
    }
    expect(good).toBeGreaterThan(rounds / 20);
    for (const deep of ['[', '{a: ', '- ', '&a [*a, ']) expect(refusal(deep.repeat(20_000))).toMatch(/^town\.yaml/);
    const nine = (name: string): string => Array(9).fill(`*${name}`).join(', ');
    const more = [...'bcdefghijk'].map((name, i) => `${name}: &${name} [${nine('abcdefghij'[i])}]`);
    const bomb = ['a: &a [1, 1]', ...more].join('\n');
    expect(refusal(`version: 1\nlevels: []\n${bomb}`)).toMatch(/^town\.yaml/);
  });
});

describe('the schema for editors', () => {
  it('has descriptions and no internal metadata', () => {
    const schema = sceneJsonSchema() as {
      title: string;
      properties: Record<string, any>;
      required: string[];
      additionalProperties: boolean;
    };
    expect(schema.title).toBe('navkiln scene');
    expect(schema.additionalProperties).toBe(false);
    expect(schema.required).toEqual(['version', 'levels']);
    expect(schema.properties['bake'].properties.cellSize.description).toBe('side of a voxel in x and z');
    expect(schema.properties['bake'].properties.levels).toBeUndefined();
    expect(JSON.stringify(schema)).not.toMatch(/"flag"|"unit"/);
  });
});

describe('a moving target', () => {
  const path: ScenePoint[] = [
    [0, 0, 0],
    [3, 0, 0],
    [3, 4, 0],
  ];
  const at = (target: Omit<SceneTarget, 'name'>, second: number): [ScenePoint, boolean] => {
    const out: ScenePoint = [NaN, NaN, NaN];
    const moves = moveTarget(out, pathOfTarget({ name: 'a', ...target })!, second);
    return [out, moves];
  };
  it('is at the position that follows from its speed', () => {
    expect(at({ path, speed: 2 }, 0)).toEqual([[0, 0, 0], true]);
    expect(at({ path, speed: 2 }, 1)).toEqual([[2, 0, 0], true]);
    expect(at({ path, speed: 2 }, 2.5)).toEqual([[3, 2, 0], true]);
    expect(at({ path, speed: 2 }, 3.5)).toEqual([[3, 4, 0], false]);
    expect(at({ path, speed: 2 }, 99)).toEqual([[3, 4, 0], false]);
    expect(at({ path, speed: 2, startsAt: 10 }, 9)).toEqual([[0, 0, 0], true]);
    expect(at({ path, speed: 2, startsAt: 10 }, 11)).toEqual([[2, 0, 0], true]);
    expect(pathOfTarget({ name: 'a', position: [0, 0, 0] })).toBeUndefined();
  });
  it('loops', () => {
    const round: ScenePoint[] = [
      [0, 0, 0],
      [4, 0, 0],
      [4, 0, 3],
      [4, 0, 3],
    ];
    for (const lap of [0, 1, 7]) {
      expect(at({ path: round, speed: 1, loop: true }, 12 * lap + 5)).toEqual([[4, 0, 1], true]);
      const [[x, , z]] = at({ path: round, speed: 1, loop: true }, 12 * lap + 9.5);
      expect(x).toBeCloseTo(2, 9);
      expect(z).toBeCloseTo(1.5, 9);
    }
  });
});

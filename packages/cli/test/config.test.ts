import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfigFlags } from '../src/config/flags.ts';
import { readConfig } from '../src/config/read.ts';
import { configJsonSchema, listFlags } from '../src/config/fields.ts';
import { parseConfig } from '../src/config/schema.ts';
import { didYouMean } from '../src/errors.ts';
import { parseLevelSpec, placementMatrix } from '../src/loaders/placement.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'navkiln-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string, name = 'config.yaml'): ReturnType<typeof readConfig> {
  const path = join(folder, name);
  writeFileSync(path, text);
  return readConfig(path);
}

function refusal(text: string, name = 'config.yaml'): string {
  try {
    read(text, name);
  } catch (error) {
    expect((error as Error).name, (error as Error).stack).toBe('InputError');
    return (error as Error).message.replaceAll(`${folder}/`, '');
  }
  throw new Error('it was accepted');
}

describe('a configuration', () => {
  it('takes all options of the bake, in YAML and in JSON', () => {
    const whole = {
      $schema: './navkiln.schema.json',
      levels: [
        'a.obj',
        'b.glb::up=z',
        { file: 'sub/c.gltf', position: [1, 2, 3], rotationDegrees: [0, 90, 0], scale: -2, up: 'y' },
      ],
      output: 'out.navmesh',
      agent: { radius: 0.5, height: 2, maxClimb: 0.3, maxSlopeDegrees: 50 },
      cellSize: 0.25,
      cellHeight: 0.125,
      tileSize: 16,
      partition: 'monotone',
      maxEdgeLength: 0,
      maxEdgeError: 1,
      regionMinArea: 2,
      regionMergeArea: 3,
      maxVerticesPerPoly: 5,
      detailSampleDistance: 0,
      detailMaxError: 0.5,
      filterLowHangingObstacles: false,
      filterLedges: false,
      filterLowCeilings: false,
      medianAreas: true,
      dynamic: false,
      tessellateWallEdges: false,
      tessellateAreaEdges: true,
      volumes: [
        { type: 'box', area: 0, min: [0, 0, 0], max: [1, 1, 1] },
        { type: 'cylinder', area: 5, center: [0, 0, 0], radius: 1, height: 2 },
        { type: 'box', name: 'gate', min: [0, 0, 0], max: [1, 1, 1] },
        {
          type: 'prism',
          area: 63,
          outline: [
            [0, 0],
            [1, 0],
            [0, 1],
          ],
          minY: -1,
          maxY: 1,
        },
      ],
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
          flags: 2,
          userId: 7,
          enabled: false,
        },
      ],
      bounds: { min: [-1, -1, -1], max: [9, 9, 9] },
      strict: true,
      memoryLimitBytes: 1e9,
    };
    const { levels, output, options } = read(JSON.stringify(whole, null, '\t'), 'whole.json');
    const { $schema, levels: _levels, output: _output, ...rest } = whole;
    void [$schema, _levels, _output];
    expect(options).toEqual(rest);
    expect(output).toBe(join(folder, 'out.navmesh'));
    expect(levels).toEqual([
      { file: join(folder, 'a.obj') },
      { file: join(folder, 'b.glb'), up: 'z' },
      { file: join(folder, 'sub/c.gltf'), position: [1, 2, 3], rotationDegrees: [0, 90, 0], scale: -2, up: 'y' },
    ]);
    expect(read('map: { mode: diagonal, walkable: [a] }\nmap-scale: 2\n')).toEqual({
      levels: [],
      output: undefined,
      options: {},
      map: { mode: 'diagonal', walkable: ['a'], scale: 2 },
    });
    expect(read('# nothing\n')).toEqual({ levels: [], output: undefined, options: {} });
    expect(read('x: &a {radius: 1}\n'.replace('x', 'agent')).options).toEqual({ agent: { radius: 1 } });
  });

  it('accepts the names of flags', () => {
    const { options } = read(
      'agent-radius: 0.5\nagentMaxSlope: 30\nagent:\n  max-climb: 0.1\ncell-size: 0.2\nregion-min-area: 4\n',
    );
    expect(options).toEqual({
      agent: { radius: 0.5, maxSlopeDegrees: 30, maxClimb: 0.1 },
      cellSize: 0.2,
      regionMinArea: 4,
    });
    expect(refusal('agent-radius: 1\nagent: { radius: 1 }')).toBe('config.yaml:2:10 agent.radius: given twice');
  });

  it.each([
    ['agent:\n  height: 2\n  radius: -1\n', 'config.yaml:3:11 agent.radius: must be >= 0 (got -1)'],
    ['agent:\n  height:   0\n', 'config.yaml:2:13 agent.height: must be > 0 (got 0)'],
    ['agent: {maxSlopeDegrees: 91}', 'config.yaml:1:26 agent.maxSlopeDegrees: must be <= 90 (got 91)'],
    ['cellSize: wide', 'config.yaml:1:11 cellSize: must be a number (got "wide")'],
    ['cell-size: 0', 'config.yaml:1:12 cellSize: must be > 0 (got 0)'],
    ['cellSize: .nan', 'config.yaml:1:11 cellSize: must be a number (got NaN)'],
    ['cellSize:', 'config.yaml:1:10 cellSize: must be a number (got null)'],
    ['agent:\n  raduis: 1', 'config.yaml:2:3 agent.raduis: unknown key; did you mean "radius"?'],
    ['cellsize: 1', 'config.yaml:1:1 cellsize: unknown key; did you mean "cellSize"?'],
    ['agent: {weight: 70}', 'config.yaml:1:9 agent.weight: unknown key; did you mean "height"?'],
    ['bounds: {min: [0,0,0], max: [1,1,1], qqqqq: 1}', 'config.yaml:1:38 bounds.qqqqq: unknown key; known: min, max'],
    [
      'partition: watersched',
      'config.yaml:1:12 partition: must be one of watershed, monotone, layers (got "watersched")',
    ],
    ['maxVerticesPerPoly: 2.5', 'config.yaml:1:21 maxVerticesPerPoly: must be a whole number (got 2.5)'],
    ['maxVerticesPerPoly: 13', 'config.yaml:1:21 maxVerticesPerPoly: must be <= 12 (got 13)'],
    ['strict: maybe', 'config.yaml:1:9 strict: must be true or false (got "maybe")'],
    ['levels: []', 'config.yaml:1:9 levels: must have at least 1 entries (got [])'],
    ['levels:\n  - position: [0, 0, 0]', 'config.yaml:2:5 levels[0].file: must be text (it is missing)'],
    [
      'levels:\n  - file: a.obj\n    position: [0, 0]',
      'config.yaml:3:15 levels[0].position: must have at least 3 entries (got [0,0])',
    ],
    ['levels:\n  - file: a.obj\n    scale: 0', 'config.yaml:3:12 levels[0].scale: must not be 0 (got 0)'],
    [
      'levels:\n  - file: a.obj\n    scale: big',
      'config.yaml:3:12 levels[0].scale: must be a number or a list of numbers, such as [0, 0, 0] (got "big")',
    ],
    [
      'levels:\n  - file: a.obj\n    positon: [0, 0, 0]',
      'config.yaml:3:5 levels[0].positon: unknown key; did you mean "position"?',
    ],
    ['levels:\n  - a.obj::up=w', 'level "a.obj::up=w": up must be x, -x, y, -y, z, -z (got "w")'],
    [
      'volumes:\n  - {type: ball, area: 1}',
      'config.yaml:2:12 volumes[0].type: must be one of box, cylinder, prism (got "ball")',
    ],
    [
      'volumes:\n  - {type: box, area: 64, min: [0,0,0], max: [1,1,1]}',
      'config.yaml:2:23 volumes[0].area: must be <= 63 (got 64)',
    ],
    [
      'volumes:\n  - {type: cylinder, area: 1, center: [0,0,0], radius: 1}',
      'config.yaml:2:5 volumes[0].height: must be a number (it is missing)',
    ],
    [
      'volumes:\n  - {type: box, min: [0,0,0], max: [1,1,1]}',
      'volumes[0]: must have an area or a name; with a name the area is not 0',
    ],
    [
      'volumes:\n  - {type: box, name: gate, area: 0, min: [0,0,0], max: [1,1,1]}',
      'volumes[0]: must have an area or a name; with a name the area is not 0',
    ],
    [
      'volumes:\n  - {type: box, enabled: false, area: 1, min: [0,0,0], max: [1,1,1]}',
      'volumes[0]: must have a name when it has enabled',
    ],
    ['[1, 2]', 'config.yaml:1:1 must be a map of keys and values (got [1,2])'],
    ['just words', 'config.yaml:1:1 must be a map of keys and values (got "just words")'],
    ['a: 1\na: 2', 'config.yaml:2:1 not valid YAML or JSON: Map keys must be unique'],
    ['agent: {radius: 1', 'not valid YAML or JSON'],
    ['__proto__: {agent: 1}', '__proto__: unknown key'],
    ['agent: *nowhere', 'config.yaml'],
  ])('%j is refused with its position', (text, message) => expect(refusal(text)).toContain(message));

  it('lists all errors, each with its line', () => {
    expect(refusal('cellSize: -1\ncellHeight: -2\nfoo: 1\n').split('\n')).toEqual([
      'config.yaml:1:11 cellSize: must be > 0 (got -1)',
      'config.yaml:2:13 cellHeight: must be > 0 (got -2)',
      expect.stringMatching(/^config\.yaml:3:1 foo: unknown key/),
    ]);
  });

  it('refuses a file that cannot be opened', () => {
    expect(() => readConfig(join(folder, 'gone.yaml'))).toThrow('gone.yaml: no such file or folder');
    mkdirSync(join(folder, 'dir.yaml'));
    expect(() => readConfig(join(folder, 'dir.yaml'))).toThrow('dir.yaml: is a folder, not a file');
  });
});

describe('flags', () => {
  it('are exactly these', () => {
    expect(listFlags().map(({ flag, path }) => `${flag} ${path.join('.')}`)).toEqual([
      '--agent-radius agent.radius',
      '--agent-height agent.height',
      '--agent-max-climb agent.maxClimb',
      '--agent-max-slope agent.maxSlopeDegrees',
      '--cell-size cellSize',
      '--cell-height cellHeight',
      '--tile-size tileSize',
      '--partition partition',
      '--max-edge-length maxEdgeLength',
      '--max-edge-error maxEdgeError',
      '--region-min-area regionMinArea',
      '--region-merge-area regionMergeArea',
      '--detail-sample-distance detailSampleDistance',
      '--detail-max-error detailMaxError',
      '--recast recast',
      '--map-mode map.mode',
      '--map-precision map.precision',
      '--map-y-axis map.yAxis',
      '--map-projection map.projection',
      '--map-scale map.scale',
      '--map-floor map.walkable',
      '--map-walls map.walls',
      '--map-where map.where',
      '--map-obstacles map.obstacles',
      '--map-obstacle-files map.obstacleFiles',
      '--map-line-width map.lineWidth',
      '--map-ignore map.ignore',
      '--weld-tolerance surface.weldTolerance',
      '--max-gap surface.maxGap',
      '--island-min-area surface.islandMinArea',
      '--memory-limit memoryLimitBytes',
    ]);
  });

  it('become options, and errors name the flag', async () => {
    expect(
      await readConfigFlags({
        agentRadius: '0.5',
        agentMaxSlope: '30',
        cellSize: '1e-1',
        partition: 'layers',
        recast: true,
        json: true,
      }),
    ).toEqual({
      agent: { radius: 0.5, maxSlopeDegrees: 30 },
      cellSize: 0.1,
      partition: 'layers',
      recast: true,
    });
    await expect(readConfigFlags({ agentRadius: '-1', cellSize: '0' })).rejects.toThrow(
      '--agent-radius: must be >= 0 (got -1)\n--cell-size: must be > 0 (got 0)',
    );
    for (const text of ['', ' ', 'x', '1m', 'NaN', 'Infinity'])
      await expect(readConfigFlags({ cellSize: text })).rejects.toThrow('--cell-size: must be a finite number (got');
    await expect(readConfigFlags({ partition: 'x' })).rejects.toThrow(
      '--partition: must be one of watershed, monotone, layers (got "x")',
    );
  });

  it('are accepted without the schema exactly where the schema accepts them', async () => {
    const values = ['-1', '-0', '0', '1e-9', '0.5', '1', '2.5', '3', '30', '30.01', '90', '91', '255', '1e300', 'x'];
    const name = (flag: string): string => flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    for (const { flag, path, kind, choices } of listFlags().filter((field) => field.kind !== 'boolean')) {
      const texts = { choice: [...choices, 'x'], list: ['a', 'a, b'], number: values.slice(0, -1) };
      for (const text of texts[kind === 'choice' || kind === 'list' ? kind : 'number']) {
        const value = path.reduceRight<unknown>(
          (inner, key) => ({ [key]: inner }),
          kind === 'choice' ? text : kind === 'list' ? text.split(', ') : Number(text),
        );
        const isAccepted = await readConfigFlags({ [name(flag)]: text }).then(
          (config) => {
            expect(config).toEqual(value);
            return true;
          },
          () => false,
        );
        expect([flag, text, isAccepted]).toEqual([flag, text, 'config' in parseConfig(value)]);
      }
    }
  });
});

describe('the schema for editors', () => {
  it('has descriptions and no metadata of flags', () => {
    const schema = configJsonSchema() as { properties: Record<string, any>; additionalProperties: boolean };
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties['cellSize']).toEqual({
      description: 'side of a voxel in x and z',
      type: 'number',
      exclusiveMinimum: 0,
    });
    expect(schema.properties['agent'].properties.radius.minimum).toBe(0);
    expect(JSON.stringify(schema)).not.toContain('"flag"');
  });
});

describe('placements of levels', () => {
  it('are parsed', () => {
    expect(parseLevelSpec('C:\\a b.glb')).toEqual({ file: 'C:\\a b.glb' });
    expect(parseLevelSpec('a.glb::position=1,-2.5,3e1::rotation=90::scale=2::up=z')).toEqual({
      file: 'a.glb',
      position: [1, -2.5, 30],
      rotationDegrees: 90,
      scale: 2,
      up: 'z',
    });
    expect(parseLevelSpec('a.glb::scale=50,0,50')).toEqual({ file: 'a.glb', scale: [50, 0, 50] });
    expect(parseLevelSpec('a.glb::twoSided=false')).toEqual({ file: 'a.glb', twoSided: false });
    expect(parseLevelSpec('a.glb::rotation=1,2,3::scale=1,1,-1')).toEqual({
      file: 'a.glb',
      rotationDegrees: [1, 2, 3],
      scale: [1, 1, -1],
    });
  });
  it.each(['x', '-x', 'y', '-y', 'z', '-z'])('up=%s turns that axis up, and mirrors nothing', (up) => {
    const m = placementMatrix(parseLevelSpec(`a.obj::up=${up}::scale=1`))!;
    const image = (axis: number): number[] => m.slice(4 * axis, 4 * axis + 3);
    const sign = up.startsWith('-') ? -1 : 1;
    expect(image('xyz'.indexOf(up.at(-1)!)).map((value) => sign * value + 0)).toEqual([0, 1, 0]);
    const [a, b, c] = [image(0), image(1), image(2)];
    const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    expect(cross.map((value) => value + 0)).toEqual(c.map((value) => value + 0));
  });
  it.each([
    ['::up=z', 'the file name before'],
    [
      'a::postion=1,2,3',
      'unknown key "postion", did you mean "position"? (keys: position, rotation, scale, up, twoSided)',
    ],
    ['a::position=1,2', 'position must be three numbers "x,y,z" (got "1,2")'],
    ['a::position=1', 'position must be three numbers "x,y,z" (got "1")'],
    ['a::rotation=1,2', 'rotation must be a number or three numbers "x,y,z" (got "1,2")'],
    ['a::scale=', 'scale must be a number or three numbers "x,y,z" (got "")'],
    ['a::scale=0', 'scale must not be 0'],
    ['a::scale=1,0,0', 'scale must not be 0 along more than one axis'],
    ['a::up=w', 'up must be x, -x, y, -y, z, -z (got "w")'],
    ['a::twoSided=yes', 'twoSided must be true or false (got "yes")'],
    ['a::', 'unknown key ""'],
  ])('%s is refused', (text, message) => expect(() => parseLevelSpec(text)).toThrow(message));
});

it('didYouMean suggests only close words', () => {
  expect(didYouMean('cell-siez', ['cell-size', 'cell-height'])).toBe('cell-size');
  expect(didYouMean('banana', ['cell-size', 'cell-height'])).toBeUndefined();
});

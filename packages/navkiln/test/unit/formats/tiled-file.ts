/** Maps in the form that Tiled writes. */

export interface Layer {
  [key: string]: unknown;
}

export const COLLIDES = [{ name: 'collides', type: 'bool', value: true }];
export const WALKABLE = [{ name: 'walkable', type: 'bool', value: true }];
export const FREE = [{ name: 'collides', type: 'bool', value: false }];

/** A tile of a tileset with one polygon, in pixels from its upper left corner. */
export function shapedTile(id: number, polygon: readonly { x: number; y: number }[]): object {
  return {
    id,
    objectgroup: { type: 'objectgroup', objects: [{ id: 1, x: 0, y: 0, width: 0, height: 0, polygon }] },
  };
}

/**
 * Tiles: 1 walkable, 2 collides, 3 has a triangle in its lower left half, 4 is one full shape, 5 has shapes
 * that do not count.
 */
export const TILESET = {
  firstgid: 1,
  name: 'ground',
  tilewidth: 16,
  tileheight: 16,
  tilecount: 8,
  columns: 8,
  image: 'a.png',
  imagewidth: 128,
  imageheight: 16,
  tiles: [
    { id: 1, properties: [{ name: 'kind', type: 'string', value: 'wall' }, ...COLLIDES] },
    shapedTile(2, [
      { x: 0, y: 0 },
      { x: 0, y: 16 },
      { x: 16, y: 16 },
    ]),
    {
      id: 3,
      objectgroup: { type: 'objectgroup', objects: [{ id: 1, x: 0, y: 0, width: 16, height: 16, rotation: 0 }] },
    },
    {
      id: 4,
      properties: FREE,
      objectgroup: { type: 'objectgroup', objects: [{ id: 1, x: 0, y: 0, width: 16, height: 8 }] },
    },
  ],
};

export function mapOf(layers: Layer[], more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'map',
    version: '1.10',
    tiledversion: '1.11.0',
    orientation: 'orthogonal',
    renderorder: 'right-down',
    infinite: false,
    width: 4,
    height: 3,
    tilewidth: 16,
    tileheight: 16,
    tilesets: [TILESET],
    layers,
    ...more,
  };
}

export function objects(...shapes: Record<string, unknown>[]): Layer {
  return {
    type: 'objectgroup',
    name: 'walls',
    visible: true,
    x: 0,
    y: 0,
    objects: shapes.map((shape, i) => ({ id: i + 1, name: '', rotation: 0, width: 0, height: 0, ...shape })),
  };
}

export function tiles(data: unknown, more: Record<string, unknown> = {}): Layer {
  return { type: 'tilelayer', name: 'tiles', x: 0, y: 0, width: 4, height: 3, data, ...more };
}

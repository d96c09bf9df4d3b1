/** Lists that are longer than the arguments that a call takes, about 120,000. */
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { parseGeoJsonLevels } from '../../../../src/formats/maps/geojson/levels/levels.ts';
import { parseTiled } from '../../../../src/formats/maps/tiled/tiled.ts';

const COUNT = 150_000;

describe('long lists', () => {
  it('a volume with an outline of 150,000 corners marks its area', () => {
    // A square whose lower side has many corners.
    const outline: [number, number][] = Array.from({ length: COUNT }, (_, i) => [1 + (4 * i) / COUNT, 1]);
    outline.push([5, 1], [5, 5], [1, 5]);
    const positions = [0, 0, 0, 0, 0, 8, 8, 0, 8, 0, 0, 0, 8, 0, 8, 8, 0, 0];
    const { navMesh } = buildNavMesh(
      { positions },
      {
        agent: { radius: 0 },
        cellSize: 0.5,
        volumes: createVolumes([{ type: 'prism', outline, minY: -1, maxY: 1, area: 7 }]),
      },
    );
    expect([...navMesh.polyArea.subarray(0, navMesh.polyCount)]).toContain(7);
  });

  it('a Tiled map with 130,000 separate tiles on a walkable layer has as many polygons', () => {
    const [width, height] = [722, 360];
    const data = Array.from({ length: width * height }, (_, i) => ((i + Math.floor(i / width)) % 2 === 0 ? 1 : 0));
    const map = {
      type: 'map',
      orientation: 'orthogonal',
      width,
      height,
      tilewidth: 1,
      tileheight: 1,
      layers: [{ type: 'tilelayer', name: 'floor', width, height, x: 0, y: 0, data }],
      tilesets: [{ firstgid: 1, name: 'tiles', tilewidth: 1, tileheight: 1, tilecount: 1, columns: 1 }],
    };
    expect(parseTiled(map, { walkable: ['floor'] }).polygons.length).toBe((width * height) / 2);
  });

  it('GeoJSON with 150,000 points on a level is read', () => {
    const room = [
      [0, 0],
      [9, 0],
      [9, 9],
      [0, 9],
      [0, 0],
    ];
    const points = Array.from({ length: COUNT }, (_, i) => [1 + (7 * i) / COUNT, 1]);
    const geometries = [
      { type: 'Polygon', coordinates: [room] },
      { type: 'MultiPoint', coordinates: points },
    ];
    const features = geometries.map((geometry) => ({
      type: 'Feature',
      properties: { indoor: 'room', level: '0' },
      geometry,
    }));
    expect(parseGeoJsonLevels({ type: 'FeatureCollection', features }).levels.length).toBe(1);
  });
});

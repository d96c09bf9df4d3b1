/**
 * Reads Tiled's object layers: shapes and tile objects become walkable polygons and obstacles.
 *
 * A tile object blocks like its tile.
 *
 * Cost: linear in corners.
 * Based on: Tiled's documentation of its map format; own code.
 */
import { readArray, readCount, readNumber, readRecord, show } from '../json-source.ts';
import type { JsonRecord } from '../json-source.ts';
import type { ParsedRing } from '../map.ts';
import { checkRoundShapes, readLine, readShape } from './shapes.ts';
import { addWall, classOf, isWallName, readCollision, useOf } from './marks.ts';
import { readProperty } from './source.ts';
import { withTemplate } from './template.ts';
import { compose, rotation, transform, translation } from './affine.ts';
import type { LayerPlace, TiledReader } from './types.ts';
import { placedTile, spendShapes, tileShapes } from './tiles.ts';

const MAX_GID = 0xffffffff;

export function readObjectLayer(reader: TiledReader, layer: JsonRecord, layerName: string, place: LayerPlace): void {
  const { source } = reader;
  const objects = readArray(source, `${layerName}, objects`, layer['objects']);
  const shift = compose(reader.toResult, translation(place.offsetX, place.offsetY));
  const shapePlace = compose(shift, reader.toScreen);
  const use = useOf(reader, place, 'objects');
  checkRoundShapes(source, layerName, objects, reader.tolerance);
  const { polygons, obstacles, areas } = place.switched ?? { ...reader, polygons: reader.ground };
  for (let i = 0; i < objects.length; i++) {
    const given = readRecord(source, `${layerName}, object ${i}`, objects[i]);
    const object = withTemplate(reader, `${layerName}, object ${i}`, given);
    if (object === undefined) continue;
    const { id, name } = object;
    const title = typeof name === 'string' && name !== '' ? ` ${show(name)}` : '';
    const where = `${layerName}, object ${typeof id === 'number' ? `${i} (id ${id})` : i}${title}`;
    const flag = readCollision(reader, where, object);
    const kind = classOf(object);
    const isWall = place.mark === 'walls' || place.switched !== undefined || isWallName(kind);
    if (object['gid'] !== undefined) {
      // On walkable layers, the layer's own property does not apply to tile objects.
      const collides = flag ?? (place.isWalkable ? undefined : place.collides);
      for (const shape of readTileObject(reader, object, where, { collides, isWall: place.mark === 'walls' })) {
        const ring = transform(shape, shift);
        obstacles.push(ring);
        addWall(use, ring);
      }
      continue;
    }
    const area = readProperty(source, where, object, 'area', 'string') ?? place.area;
    if (area !== undefined && area !== '') {
      const outline = readShape(source, where, object, reader.tolerance, true);
      const cost = readProperty(source, where, object, 'cost', 'float') ?? place.cost;
      if (outline === undefined) continue;
      areas.push({
        name: area,
        ...(cost === undefined ? {} : { cost }),
        outline: transform(outline, shapePlace),
        holes: [],
      });
      continue;
    }
    const isGround = place.isWalkable && flag !== true;
    const blocks = flag ?? place.collides ?? (isWall ? true : undefined);
    if (!isGround && blocks === false) {
      use.free++;
      continue;
    }
    if (blocks === true && object['polyline'] !== undefined) {
      for (const ring of readLine(source, where, object)) {
        const line = transform(ring, shapePlace);
        obstacles.push(line);
        addWall(use, line);
      }
      continue;
    }
    const shape = readShape(source, where, object, reader.tolerance, isGround);
    if (shape === undefined) continue;
    const ring = transform(shape, shapePlace);
    if (isGround) polygons.push({ outline: ring, holes: [] });
    else if (blocks === true) {
      obstacles.push(ring);
      addWall(use, ring);
    } else {
      use.unmarked.push(ring);
      use.classes.add(kind);
    }
  }
}

/**
 * Returns the blocking shapes of a tile object, in screen pixels. `collides`: the property of its object or
 * layer; `isWall`: whether its layer is marked.
 */
function readTileObject(
  reader: TiledReader,
  object: JsonRecord,
  where: string,
  { collides, isWall }: { collides: boolean | undefined; isWall: boolean },
): ParsedRing[] {
  const { source } = reader;
  const gid = readCount(source, `${where}, gid`, object['gid'], 1, MAX_GID);
  const number = (key: string, fallback: number): number =>
    readNumber(source, `${where}, ${key}`, object[key], fallback);
  const placed = placedTile(reader, where, gid);
  const { tile, tileset } = placed;
  const width = number('width', tileset?.tileWidth ?? reader.tileWidth);
  const height = number('height', tileset?.tileHeight ?? reader.tileHeight);
  const shapes = width > 0 && height > 0 ? tileShapes(placed, width, height) : [];
  spendShapes(reader, where, shapes, 1);
  if (!(collides ?? tile?.collides ?? (isWall || shapes.length > 0)) || !(width > 0 && height > 0)) return [];
  const rings: ParsedRing[] =
    shapes.length > 0
      ? shapes
      : [
          [
            [0, 0],
            [width, 0],
            [width, height],
            [0, height],
          ],
        ];
  // Objects are anchored at their lower left corner, on isometric maps at the middle of their lower side, or
  // as their tileset says.
  const [right, down] = alignmentOf(tileset?.alignment, reader.isIsometric);
  const [[x, y]] = transform([[number('x', 0), number('y', 0)]], reader.toScreen);
  const corner = translation((tileset?.offsetX ?? 0) - right * width, (tileset?.offsetY ?? 0) - down * height);
  const turned = compose(compose(translation(x, y), rotation(number('rotation', 0))), corner);
  return rings.map((ring) => transform(ring, turned));
}

/** Returns the anchor in a tile image, as shares of its size. */
function alignmentOf(alignment: string | undefined, isIsometric: boolean): [number, number] {
  switch (alignment) {
    case 'topleft':
      return [0, 0];
    case 'top':
      return [0.5, 0];
    case 'topright':
      return [1, 0];
    case 'left':
      return [0, 0.5];
    case 'center':
      return [0.5, 0.5];
    case 'right':
      return [1, 0.5];
    case 'bottomleft':
      return [0, 1];
    case 'bottom':
      return [0.5, 1];
    case 'bottomright':
      return [1, 1];
    default:
      return isIsometric ? [0.5, 1] : [0, 1];
  }
}

/**
 * Reads Tiled's object layers: shapes and tile objects become walkable polygons, obstacles, areas and doors.
 *
 * A tile object blocks like its tile.
 *
 * Cost: linear in corners.
 * Based on: Tiled's documentation of its map format; own code.
 */
import { nameRing } from '../../../base/plane/ring-names.ts';
import { readArray, readCount, readNumber, readRecord, show, warn } from '../json-source.ts';
import type { JsonRecord } from '../json-source.ts';
import type { ParsedLayer, ParsedRing } from '../map.ts';
import { compose, rotation, transform, translation } from './affine.ts';
import { addOneWay, areaOfTile, isClosedDoor, readCost, readOneWay } from './areas.ts';
import { addFree, addWall, classOf, readCollision, useOf } from './marks.ts';
import { checkRoundShapes, readLine, readShape } from './shapes.ts';
import { readProperty } from './source.ts';
import { withTemplate } from './template.ts';
import { placedTile, spendShapes, tileShapes } from './tiles.ts';
import type { PlacedTile } from './tiles.ts';
import type { Affine, LayerPlace, LayerUse, TiledReader, TiledTile } from './types.ts';
import { isDoor, isFloorName, isWallName, isZoneName } from './words.ts';

const MAX_GID = 0xffffffff;

export function readObjectLayer(reader: TiledReader, layer: JsonRecord, layerName: string, place: LayerPlace): void {
  const { source } = reader;
  const objects = readArray(source, `${layerName}, objects`, layer['objects']);
  const shift = compose(reader.toResult, translation(place.offsetX, place.offsetY));
  const shapePlace = compose(shift, reader.toScreen);
  const use = useOf(reader, place, 'objects');
  checkRoundShapes(source, layerName, objects, reader.tolerance);
  const lists = place.switched ?? { ...reader, polygons: reader.ground };
  for (let i = 0; i < objects.length; i++) {
    const given = readRecord(source, `${layerName}, object ${i}`, objects[i]);
    const object = withTemplate(reader, `${layerName}, object ${i}`, given);
    if (object === undefined) continue;
    const { id, name } = object;
    const title = typeof name === 'string' && name !== '' ? ` ${show(name)}` : '';
    const where = `${layerName}, object ${typeof id === 'number' ? `${i} (id ${id})` : i}${title}`;
    const about = { object, where, place, use, lists };
    if (object['gid'] === undefined) addShape(reader, about, shapePlace);
    else addTileObject(reader, about, shift);
  }
}

/** An object, and where it goes. */
interface ObjectRun {
  object: JsonRecord;
  where: string;
  place: LayerPlace;
  use: LayerUse;
  lists: Pick<ParsedLayer, 'polygons' | 'obstacles' | 'areas'>;
}

function addShape(reader: TiledReader, { object, where, place, use, lists }: ObjectRun, toResult: Affine): void {
  const { source } = reader;
  const flag = readCollision(reader, where, object);
  const kind = classOf(object);
  const name = nameOf(object);
  const isWall = place.mark === 'walls' || place.switched !== undefined || isWallName(kind);
  const isGround = place.isWalkable && flag !== true;
  const blocks = flag ?? place.collides ?? (isWall ? true : undefined);
  const areaName = readProperty(source, where, object, 'area', 'string') ?? place.area;
  const cost = readCost(reader, where, object);
  const isArea = (areaName !== undefined && areaName !== '') || (place.cost !== undefined && blocks !== true);
  if (isArea) {
    const shape = readShape(source, where, object, reader.tolerance, true);
    if (shape === undefined) return;
    const outline = transform(shape, toResult);
    addFree(use, outline, kind);
    if (areaName !== undefined && areaName !== '') {
      const own = cost ?? place.cost;
      lists.areas.push({ name: areaName, ...(own === undefined ? {} : { cost: own }), outline, holes: [] });
      return;
    }
    const area = areaOfTile(reader, cost === undefined ? undefined : { ...NO_TILE, cost, kind }, place);
    if (area !== undefined) lists.areas.push({ name: area.name, cost: area.cost, outline, holes: [] });
    return;
  }
  if (cost !== undefined) {
    const what =
      'has a cost, but its layer is not one of areas, so it does not count; the property area gives it a name';
    warn(source, 'cost-ignored', where, what);
  }
  if (place.switched === undefined && !isGround && isDoor(kind, name)) {
    const shape = readShape(source, where, object, reader.tolerance, true);
    if (shape !== undefined) addDoor(reader, { object, where, use }, transform(shape, toResult), blocks === true);
    return;
  }
  if (!isGround && blocks === false) {
    use.free++;
    return;
  }
  if (blocks !== true && (place.oneWay || readOneWay(reader, where, object))) addOneWay(reader, where, 1);
  if (blocks === true && object['polyline'] !== undefined) {
    for (const ring of readLine(source, where, object)) {
      const line = nameRing(transform(ring, toResult), `${source.name}, ${where}`);
      lists.obstacles.push(line);
      addWall(use, line);
    }
    return;
  }
  const shape = readShape(source, where, object, reader.tolerance, isGround);
  if (shape === undefined) return;
  const ring = nameRing(transform(shape, toResult), `${source.name}, ${where}`);
  if (isGround) lists.polygons.push({ outline: ring, holes: [] });
  else if (blocks === true) {
    lists.obstacles.push(ring);
    addWall(use, ring);
  } else {
    const isZone = place.mark === 'zones' || isFloorName(place.name) || isZoneName(kind === '' ? name : kind);
    use.unmarked.push({ ring, kind, isZone });
  }
}

function nameOf({ name }: JsonRecord): string {
  return typeof name === 'string' ? name : '';
}

/** An object's cost as that of a tile without anything else. */
const NO_TILE: TiledTile = {
  collides: undefined,
  kind: '',
  cost: undefined,
  area: undefined,
  oneWay: false,
  shapes: [],
};

function addDoor(
  reader: TiledReader,
  { object, where, use }: Pick<ObjectRun, 'object' | 'where' | 'use'>,
  outline: ParsedRing,
  blocks: boolean,
): void {
  const isClosed = isClosedDoor(reader, where, object, blocks);
  reader.doors.push({ name: nameOf(object), id: object['id'], isClosed, outline });
  addFree(use, outline, classOf(object));
}

function addTileObject(reader: TiledReader, { object, where, place, use, lists }: ObjectRun, shift: Affine): void {
  const placed = placeObject(reader, object, where);
  const { tile, tileset } = placed;
  if (tileset?.isMissing === true) tileset.missingTiles++;
  if (!(placed.width > 0 && placed.height > 0)) return;
  const shapes = tileShapes(placed, placed.width, placed.height);
  spendShapes(reader, where, shapes, 1);
  // On walkable layers, the layer's own property does not apply to tile objects.
  const collides =
    readCollision(reader, where, object) ?? (place.isWalkable ? undefined : place.collides) ?? tile?.collides;
  const blocks = collides ?? (place.mark === 'walls' || shapes.length > 0);
  const toResult = compose(shift, placed.turned);
  const whole = transform(boxOf(placed.width, placed.height), toResult);
  const kind = classOf(object) === '' ? (tile?.kind ?? '') : classOf(object);
  if (place.switched === undefined && isDoor(kind, nameOf(object))) {
    addDoor(reader, { object, where, use }, whole, blocks);
    return;
  }
  if (!blocks) {
    if (place.oneWay || tile?.oneWay || readOneWay(reader, where, object)) addOneWay(reader, where, 1);
    addFree(use, whole, kind);
    return;
  }
  for (const ring of shapes.length > 0 ? shapes.map((shape) => transform(shape, toResult)) : [whole]) {
    lists.obstacles.push(nameRing(ring, `${reader.source.name}, ${where}`));
    addWall(use, ring);
  }
}

function boxOf(width: number, height: number): ParsedRing {
  return [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
}

/** Returns the tile of a tile object, its size, and the map from its image to screen pixels. */
function placeObject(
  reader: TiledReader,
  object: JsonRecord,
  where: string,
): PlacedTile & { width: number; height: number; turned: Affine } {
  const { source } = reader;
  const gid = readCount(source, `${where}, gid`, object['gid'], 1, MAX_GID);
  const number = (key: string, fallback: number): number =>
    readNumber(source, `${where}, ${key}`, object[key], fallback);
  const placed = placedTile(reader, where, gid);
  const { tileset } = placed;
  const width = number('width', tileset?.tileWidth ?? reader.tileWidth);
  const height = number('height', tileset?.tileHeight ?? reader.tileHeight);
  // Objects are anchored at their lower left corner, on isometric maps at the middle of their lower side, or
  // as their tileset says.
  const [right, down] = alignmentOf(tileset?.alignment, reader.isIsometric);
  const [[x, y]] = transform([[number('x', 0), number('y', 0)]], reader.toScreen);
  const corner = translation((tileset?.offsetX ?? 0) - right * width, (tileset?.offsetY ?? 0) - down * height);
  const turned = compose(compose(translation(x, y), rotation(number('rotation', 0))), corner);
  return { ...placed, width, height, turned };
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

/**
 * Decides what an indoor feature is: floor, room, wall, door, stairs, lift; by the tags of OpenStreetMap's Simple Indoor Tagging,
 * and the categories of Apple's Indoor Mapping Data Format.
 *
 * Cost: constant.
 * Based on: the wiki page Simple Indoor Tagging of OpenStreetMap; IMDF 1.0 (OGC 20-094); own code.
 */
import type { LevelConnectionKind } from '../../../../build/polygon/levels.ts';
import type { JsonRecord } from '../../json-source.ts';

export interface IndoorRole {
  /** 'room' has walls around it, 'floor' has none. 'none': no part of the map. */
  shape: 'floor' | 'room' | 'wall' | 'none';
  isDoor: boolean;
  /** The kind of connection, where it lies on several levels or above another one. */
  connects: LevelConnectionKind | undefined;
  /** 1: people are carried along the line, -1: against it, 0: both ways. */
  direction: -1 | 0 | 1;
}

/** Categories of units that are open to each other. */
const OPEN_UNITS =
  /^(?:walkway|lobby|foyer|concourse|terrace|opentobelow|corridor|hallway|platform|courtyard|unenclosedarea|footbridge|road|parking|movingwalkway|ramp|elevator|escalator|stairs|steps)$/;
const NO_FLOOR = /^(?:wall|column|structure|brick|concrete|drywall|glass|wood|opentobelow|nonpublic|void)$/;
/** Features that describe a building as a whole. */
const WHOLE =
  /^(?:venue|level|footprint|building|section|geofence|address|amenity|anchor|occupant|relationship|detail)$/;

function isYes(value: unknown): boolean {
  return value !== undefined && value !== null && value !== 'no' && value !== false && value !== '';
}

/** Returns what a feature is by its properties. */
export function roleOf(properties: JsonRecord, featureType: unknown): IndoorRole {
  const { indoor, highway, room, category, conveying, door, entrance, barrier, wall, stairs, elevator, building } =
    properties;
  const is = (value: string): boolean => [indoor, highway, room, category].includes(value);
  const isSteps = is('steps') || is('stairs') || is('stairwell') || is('stairway') || is('staircase') || isYes(stairs);
  const isMoving = isYes(conveying) || is('escalator');
  const connects: LevelConnectionKind | undefined =
    is('elevator') || is('lift') || isYes(elevator)
      ? 'lift'
      : isSteps || is('escalator')
        ? isMoving
          ? 'escalator'
          : 'stairs'
        : is('ramp')
          ? 'ramp'
          : undefined;
  const direction = conveying === 'forward' ? 1 : conveying === 'backward' ? -1 : 0;
  const isDoor = door !== undefined || is('door') || isYes(entrance) || featureType === 'opening';
  return { shape: shapeOf(), isDoor, connects, direction };

  function shapeOf(): IndoorRole['shape'] {
    if (typeof featureType === 'string' && WHOLE.test(featureType)) return 'none';
    if (indoor === 'wall' || indoor === 'column' || barrier === 'wall' || isYes(wall)) return 'wall';
    if (featureType === 'fixture' || featureType === 'kiosk') return 'wall';
    if (typeof category === 'string' && featureType === 'unit')
      return NO_FLOOR.test(category)
        ? category === 'opentobelow' || category === 'void'
          ? 'none'
          : 'wall'
        : OPEN_UNITS.test(category)
          ? 'floor'
          : 'room';
    if (indoor === 'no' || indoor === 'door' || indoor === 'level') return 'none';
    if (indoor === 'room' || (indoor === undefined && isYes(room))) return 'room';
    // The outline of a building is no floor of its levels.
    if (isYes(building) && !isYes(indoor)) return 'none';
    return 'floor';
  }
}

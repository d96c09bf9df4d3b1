/** Types of the parts of three-pathfinding's ES build that the benchmark uses. */
declare module 'three-pathfinding/dist/three-pathfinding.modern.mjs' {
  import type { BufferGeometry, Vector3 } from 'three';

  export interface Zone {
    groups: unknown[][];
  }
  export class Pathfinding {
    static createZone(geometry: BufferGeometry): Zone;
    setZoneData(zoneId: string, zone: Zone): void;
    findPath(start: Vector3, end: Vector3, zoneId: string, group: number): Vector3[] | null;
  }
}

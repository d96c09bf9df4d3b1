/** What the benchmark takes from npm three, which has no types of its own, and from the ES build of three-pathfinding. */
declare module 'three' {
  export class Vector3 {
    x: number;
    y: number;
    z: number;
    constructor(x?: number, y?: number, z?: number);
  }
  export class BufferAttribute {
    constructor(array: Float32Array | Uint32Array, itemSize: number);
  }
  export class BufferGeometry {
    setAttribute(name: string, attribute: BufferAttribute): this;
    setIndex(index: BufferAttribute): this;
  }
}

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

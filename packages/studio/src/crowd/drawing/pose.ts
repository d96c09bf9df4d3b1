/** Where a body stands, in drawn coordinates. */
export interface Pose {
  x: number;
  y: number;
  z: number;
  headingX: number;
  headingZ: number;
  radius: number;
  height: number;
}

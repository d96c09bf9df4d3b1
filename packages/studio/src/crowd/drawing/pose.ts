/** The pose of a body in drawn coordinates: position, heading and size. */
export interface Pose {
  x: number;
  y: number;
  z: number;
  headingX: number;
  headingZ: number;
  radius: number;
  height: number;
}

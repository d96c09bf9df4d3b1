/** Shadows that the sun casts. Loaded where a graphics card draws. */
import { PCFSoftShadowMap, Vector3 } from 'three';
import type { DirectionalLight, WebGLRenderer } from 'three';
import type { Vec3 } from '../state/state.ts';

/** Pixels of the map of shadows. */
const SHADOW_SIZE = 2048;
/** How far surfaces are moved out of their own shadow, as a share of the depth of that map. */
const SUN_BIAS = -0.0014;

export interface Shadows {
  /** Makes the sun shine on a box, drawn coordinates. */
  shineOn: (min: Vec3, max: Vec3) => void;
  /** Casts shadows again with the next frame. */
  cast: () => void;
}

export function createShadows({ shadowMap }: WebGLRenderer, sun: DirectionalLight): Shadows {
  shadowMap.enabled = true;
  shadowMap.type = PCFSoftShadowMap;
  // The map is drawn when the level changes, not with each frame.
  shadowMap.autoUpdate = false;
  sun.castShadow = true;
  const { shadow, target } = sun;
  shadow.mapSize.set(SHADOW_SIZE, SHADOW_SIZE);
  shadow.intensity = 0.6;
  shadow.bias = SUN_BIAS;
  const towards = sun.position.clone().normalize();
  return {
    shineOn(min, max) {
      const low = new Vector3(...min);
      const high = new Vector3(...max);
      const reach = low.distanceTo(high) / 2;
      target.position.addVectors(low, high).divideScalar(2);
      sun.position.copy(target.position).addScaledVector(towards, 2 * reach);
      const box = { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.5 * reach, far: 3.5 * reach };
      Object.assign(shadow.camera, box);
      shadow.camera.updateProjectionMatrix();
      shadowMap.needsUpdate = true;
    },
    cast: () => void (shadowMap.needsUpdate = true),
  };
}

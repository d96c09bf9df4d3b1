/** Draws obstacles as solids. */
import { BoxGeometry, CylinderGeometry, Group, Mesh, MeshLambertMaterial } from 'three';
import type { Object3D } from 'three';
import type { Vec3 } from '../../state/state.ts';
import type { Palette } from '../../view/palette.ts';
import type { LiveObstacle } from './types.ts';

const BODY_ORDER = 8;

export interface ObstacleBodies {
  object: Object3D;
  show: (obstacles: readonly LiveObstacle[], origin: Vec3) => void;
  setPalette: (palette: Palette) => void;
}

export function createObstacleBodies(palette: Palette): ObstacleBodies {
  const object = new Group();
  const geometries = { box: new BoxGeometry(1, 1, 1), cylinder: new CylinderGeometry(0.5, 0.5, 1, 24) };
  const material = new MeshLambertMaterial({ color: palette.portal, transparent: true });
  return {
    object,
    show(obstacles, origin) {
      object.clear();
      for (const { shape, position, width, height } of obstacles) {
        const body = new Mesh(geometries[shape], material);
        body.position.set(position[0] - origin[0], position[1] - origin[1] + height / 2, position[2] - origin[2]);
        body.scale.set(width, height, width);
        body.castShadow = true;
        // After the mesh, which covers bumps of the level.
        body.renderOrder = BODY_ORDER;
        object.add(body);
      }
    },
    setPalette: (next) => void material.color.set(next.portal),
  };
}

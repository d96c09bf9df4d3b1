/**
 * The three maps with holes of the classic tutorial on polygon maps, with the published points and windings.
 * All rings are counter-clockwise with y up.
 */
import type { MapPoint, MapScene, SceneMap } from './map-scene.ts';

function tutorialScene(
  name: string,
  title: string,
  outline: MapPoint[],
  holes: MapPoint[][],
  from: MapPoint,
  to: MapPoint,
): MapScene {
  const copy = (ring: MapPoint[]): MapPoint[] => ring.map(([x, y]) => [x, y]);
  const create = (): SceneMap => ({ polygons: [{ outline: copy(outline), holes: holes.map(copy) }] });
  return { name, kind: 'map', title, create, scalable: false, radius: 4, path: { from, to } };
}

export const sixteenCornersScene: MapScene = tutorialScene(
  'sixteen-corners',
  'Sixteen corners, two holes',
  [
    [100, 100],
    [300, 200],
    [500, 50],
    [650, 300],
    [900, 200],
    [1100, 30],
    [1230, 400],
    [1050, 550],
    [850, 450],
    [700, 600],
    [500, 600],
    [420, 270],
    [350, 300],
    [250, 550],
    [200, 400],
    [50, 300],
  ],
  [
    [
      [550, 400],
      [970, 230],
      [800, 450],
      [700, 420],
      [580, 550],
    ],
    [
      [150, 150],
      [250, 220],
      [200, 300],
    ],
  ],
  [120, 330],
  [1150, 450],
);

export const twentyFiveCornersScene: MapScene = tutorialScene(
  'twenty-five-corners',
  'Twenty-five corners, nine holes',
  [
    [100, 100],
    [130, 70],
    [170, 110],
    [210, 100],
    [240, 250],
    [300, 50],
    [330, 170],
    [400, 300],
    [420, 30],
    [490, 50],
    [600, 20],
    [650, 100],
    [680, 120],
    [720, 130],
    [730, 115],
    [765, 170],
    [800, 150],
    [820, 160],
    [855, 200],
    [900, 175],
    [930, 165],
    [990, 230],
    [1115, 320],
    [1115, 620],
    [100, 620],
  ],
  [
    [
      [150, 120],
      [170, 120],
      [170, 550],
      [150, 550],
    ],
    [
      [380, 330],
      [420, 320],
      [450, 380],
      [350, 420],
    ],
    [
      [365, 450],
      [500, 500],
      [330, 500],
    ],
    [
      [300, 550],
      [700, 500],
      [800, 600],
      [300, 600],
    ],
    [
      [1000, 350],
      [1050, 550],
      [900, 600],
      [800, 300],
    ],
    [
      [500, 300],
      [600, 370],
      [550, 350],
    ],
    [
      [480, 250],
      [525, 240],
      [585, 275],
      [645, 240],
      [605, 290],
      [555, 310],
    ],
    [
      [450, 100],
      [550, 100],
      [700, 220],
      [680, 220],
    ],
    [
      [210, 150],
      [270, 450],
      [290, 120],
      [350, 300],
      [340, 420],
      [320, 480],
      [300, 530],
      [290, 500],
      [270, 550],
      [240, 535],
      [235, 500],
      [230, 470],
      [220, 460],
      [200, 445],
    ],
  ],
  [130, 300],
  [1080, 580],
);

export const rectangleScene: MapScene = tutorialScene(
  'rectangle',
  'Rectangle, seven holes',
  [
    [100, 100],
    [800, 100],
    [800, 600],
    [100, 600],
  ],
  [
    [
      [400, 300],
      [500, 300],
      [500, 400],
      [400, 400],
    ],
    [
      [250, 200],
      [350, 200],
      [250, 300],
    ],
    [
      [550, 200],
      [650, 200],
      [650, 300],
    ],
    [
      [650, 500],
      [550, 500],
      [650, 400],
    ],
    [
      [250, 400],
      [350, 500],
      [250, 500],
    ],
    [
      [160, 140],
      [740, 140],
      [740, 180],
      [160, 180],
    ],
    [
      [160, 560],
      [160, 520],
      [740, 520],
      [740, 560],
    ],
  ],
  [120, 580],
  [780, 120],
);

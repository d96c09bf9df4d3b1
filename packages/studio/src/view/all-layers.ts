/** All layers in panel order. A new layer is a file of its own and an entry here. */
import { partsLayer } from './edit-layers.ts';
import { gridLayer } from './grid-layer.ts';
import type { LayerKind } from './layers.ts';
import { clayLayer, levelEdgesLayer, levelLayer, mapOutlineLayer, outerWallsLayer, xrayLayer } from './level-layer.ts';
import { autoLinksLayer, groundLayer, linksLayer, seamsLayer, tileBordersLayer, wallsLayer } from './mesh-layer.ts';

export const LAYERS: readonly LayerKind[] = [
  levelLayer,
  clayLayer,
  outerWallsLayer,
  xrayLayer,
  partsLayer,
  levelEdgesLayer,
  mapOutlineLayer,
  groundLayer,
  seamsLayer,
  wallsLayer,
  tileBordersLayer,
  linksLayer,
  autoLinksLayer,
  gridLayer,
];

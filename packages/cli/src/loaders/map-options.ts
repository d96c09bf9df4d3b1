/** Options for reading 2D map files. Apart from the reader, which needs Node. */
import type { GeoJsonOptions, TiledOptions } from 'navkiln/polygon';

export interface MapReadOptions extends Pick<
  TiledOptions,
  'scale' | 'walkable' | 'walls' | 'ignore' | 'collisionProperty' | 'tolerance' | 'space'
> {
  /** How GeoJSON positions become meters. */
  projection?: Extract<GeoJsonOptions['projection'], string>;
}

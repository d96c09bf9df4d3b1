/** Options for reading 2D map files. Apart from the reader, which needs Node. */
import type { GeoJsonOptions, TiledOptions } from 'navkiln/polygon';

export interface MapReadOptions extends Pick<
  TiledOptions,
  'scale' | 'walkable' | 'walls' | 'ignore' | 'collisionProperty' | 'tolerance' | 'space'
> {
  /** Conditions of features of GeoJSON, such as "level=0". */
  where?: readonly string[];
  obstacles?: readonly string[];
  /** Width of lines of GeoJSON, meters. */
  lineWidth?: number;
  /** Distance at which what should touch is joined. Default: that of the file. */
  precision?: number;
  /** How GeoJSON positions become meters. */
  projection?: Extract<GeoJsonOptions['projection'], string>;
}

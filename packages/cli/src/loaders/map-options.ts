/** Options for reading 2D map files. Apart from the reader, which needs Node. */
import type { MapReadOptions as LibraryOptions } from 'navkiln/polygon';

/** The options of `readMap` that settings hold. */
export interface MapReadOptions extends Omit<
  LibraryOptions,
  'tileset' | 'template' | 'decompress' | 'memoryLimitBytes' | 'name' | 'projection' | 'isObstacle' | 'isPart'
> {
  /** Files whose shapes are all obstacles. */
  obstacleFiles?: string[];
  /** How GeoJSON positions become meters. */
  projection?: Extract<LibraryOptions['projection'], string>;
}

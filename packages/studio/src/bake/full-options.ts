/** The options that few first bakes need: other partitions, volumes, links and layers. */
export { optionsFromSettings } from 'navkiln/build';

/** `navkiln-cli/config`: the one schema of settings and the reading of configurations, for programs with a screen. No Node. */
export { InputError } from '../errors.ts';
export { listFaults } from './issues.ts';
export { withProperNames } from './names.ts';
export { configJsonSchema, listFields, parseConfig } from './schema.ts';
export type { Config, Field, FieldUnit, MapSettings } from './schema.ts';

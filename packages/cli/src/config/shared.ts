/**
 * `navkiln-cli/config`: the schema of settings and the parsing of configurations, for programs with a user
 * interface. No Node.
 */
export { InputError } from '../errors.ts';
export { listFaults } from './issues.ts';
export { withProperNames } from './names.ts';
export { configJsonSchema, listFields } from './fields.ts';
export type { Field } from './fields.ts';
export { parseConfig } from './schema.ts';
export type { FieldUnit } from './schema.ts';
export type { Config, MapSettings } from './settings.ts';

/** The flags of the configuration's fields. The bundle has them as data, so that a command starts without the schema. */
import { listFlags } from './fields.ts';
import type { FieldFlag } from './fields.ts';

export const FLAGS: readonly FieldFlag[] = listFlags();

/**
 * The fields of the command line's schema. The build puts the list itself in the place of this file (vite.config.ts), so that the
 * page need not load what checks configurations.
 */
import { listFields } from 'navkiln-cli/config';
import type { Field } from 'navkiln-cli/config';

export const ALL_FIELDS: readonly Field[] = listFields();

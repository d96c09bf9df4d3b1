/**
 * The fields of the command line's schema. The build replaces this file with the list itself
 * (vite.config.ts), so that the page does not load the code that validates configurations.
 */
import { listFields } from 'navkiln-cli/config';
import type { Field } from 'navkiln-cli/config';

export const ALL_FIELDS: readonly Field[] = listFields();

/**
 * `navkiln-cli/config-text`: configurations as text. A separate entry, because it brings a YAML parser along.
 * No Node.
 */
export { parseConfigText } from './parse.ts';

/** `navkiln-cli/config-text`: configurations as text; apart, because it brings a reader of YAML along. No Node. */
export { parseConfigText } from './parse.ts';

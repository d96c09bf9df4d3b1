/**
 * Runs before each test file. Meshes of many tests have wide links. What refuses them without `enableWideLinks` is tested in
 * processes of their own (test/consumers/consumers.test.ts).
 */
import { enableWideLinks } from '../src/query/path/wide-links.ts';

enableWideLinks();

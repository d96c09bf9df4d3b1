/** `navkiln-cli/studio-server`: the server of the studio's page, for the commands and tools of the repository. */
export { openBrowser } from './open-browser.ts';
export { findStudio, serveStudio } from './serve.ts';
export type { ServeOptions, StudioServer } from './serve.ts';

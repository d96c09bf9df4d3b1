/** `navkiln/path-worker`: the script of the threads of a path service. It runs in a Web Worker or in a worker thread of Node. */
import { listenToPool } from '../base/data/threads.ts';
import { servePaths } from './paths/serve.ts';

listenToPool(servePaths);

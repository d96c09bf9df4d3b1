/** `navkiln/bake-worker`: the script of the workers of a bake pool. It runs in a Web Worker or in a worker thread of Node. */
import './worker/serve.ts';

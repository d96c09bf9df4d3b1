/** Starts the server of a path service's thread. In other threads it does nothing. */
import { listenToPool } from '../listen.ts';
import { startPathJobs } from './jobs.ts';
import type { PathJob, PathSetup } from './jobs.ts';

listenToPool((post) => {
  let run: (job: PathJob) => unknown;
  post({ type: 'ready' });
  return (request) => {
    try {
      if (request.type === 'setup') {
        run = startPathJobs(request.setup as PathSetup);
        post({ type: 'setup', bake: request.bake });
      } else if (request.type === 'job') post({ type: 'job', bake: request.bake, answer: run(request.job as PathJob) });
    } catch (error) {
      post({ type: 'failed', bake: request.bake, error });
    }
  };
});

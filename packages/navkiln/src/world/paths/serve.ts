/** Serves the requests of a path service in a thread of it. Requests and replies are those of world/worker/protocol.ts. */
import { startPathJobs } from './jobs.ts';
import type { PathAnswer, PathJob, PathSetup } from './jobs.ts';

type Request =
  | { type: 'setup'; bake: number; setup: PathSetup }
  | { type: 'job'; bake: number; job: PathJob }
  | { type: 'release'; bake: number };

type Reply =
  | { type: 'ready' }
  | { type: 'setup'; bake: number }
  | { type: 'job'; bake: number; answer: PathAnswer }
  | { type: 'failed'; bake: number; error: unknown };

/** Returns the function that serves requests. It first reports that the thread is ready. */
export function servePaths(post: (reply: Reply) => void): (request: Request) => void {
  let run: (job: PathJob) => PathAnswer;
  post({ type: 'ready' });
  return (request) => {
    const { type, bake } = request;
    try {
      if (type === 'setup') {
        run = startPathJobs(request.setup);
        post({ type, bake });
      } else if (type === 'job') post({ type, bake, answer: run(request.job) });
    } catch (error) {
      post({ type: 'failed', bake, error });
    }
  };
}

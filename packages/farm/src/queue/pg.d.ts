/** The part of `pg` (node-postgres) that the farm uses. */
declare module 'pg' {
  export interface PoolClient {
    query: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;
    release: () => void;
  }
  export class Pool {
    constructor(options: Record<string, unknown>);
    connect: () => Promise<PoolClient>;
    end: () => Promise<void>;
    on: (event: 'error', listener: (error: Error) => void) => void;
  }
  const pg: { Pool: typeof Pool };
  export default pg;
}

/** What server and clients say: JSON as text, and a saved crowd as bytes after `welcome`. */
import type { Order } from './game.ts';

export type ToServer = { kind: 'join' } | { kind: 'order'; order: Order };

export type ToClient =
  /** The state of tick `tick` follows as bytes. `orders` are those from that tick on. */
  | { kind: 'welcome'; player: number; now: number; tick: number; isDoorOpen: boolean; orders: Order[] }
  | { kind: 'order'; order: Order }
  /** The player gave more orders than it may, and this one is not given. */
  | { kind: 'refused'; sequence: number }
  /** The tick of the clock, and the hash of an earlier tick that no order can change any more. */
  | { kind: 'clock'; now: number; tick: number; hash: number };

/** What WebSockets carry. */
export type Data = string | Uint8Array;
export type Send = (data: Data) => void;

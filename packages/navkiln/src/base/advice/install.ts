/**
 * Adds the advice to messages. Entries for Node and for development import this file; others have short messages and none of these texts.
 *
 * Based on: own.
 */
import { advice } from '../math/advice.ts';
import { explain } from './explain.ts';

advice.of = explain;

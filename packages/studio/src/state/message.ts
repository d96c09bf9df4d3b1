/** Messages to the user: the kinds and the function that shows one. */

export type MessageKind = 'info' | 'warning' | 'error';

/** Shows one or more sentences to the user. A message replaces the earlier one of its topic. */
export type Say = (kind: MessageKind, text: string, topic?: string) => void;

/** Topics of warnings about the reading of a file begin with it. */
export const READ_TOPIC = 'read';

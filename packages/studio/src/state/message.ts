/** Messages to the user: the kinds and the function that shows one. */

export type MessageKind = 'info' | 'warning' | 'error';

/** Shows one or more sentences to the user. */
export type Say = (kind: MessageKind, text: string) => void;

/** `navkiln/world`: levels that are placed, moved and taken away, characters and targets on them. An explicit list. */
export {};

/** `navkiln/crowd`: agents that move along paths and around each other. An explicit list; see ARCHITECTURE.md for the steps. */
export {};

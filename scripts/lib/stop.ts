/** Expected error that ends a command. Its message tells the user the problem and the remedy; no stack is printed. */
export class StopError extends Error {}

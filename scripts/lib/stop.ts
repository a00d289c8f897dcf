/** Expected error that ends a command. The message tells the user the problem and the remedy. No stack is printed. */
export class StopError extends Error {}

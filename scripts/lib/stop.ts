/** Ends the command with a sentence for its user: the problem and what to do. Prints no stack. */
export class Stop extends Error {}

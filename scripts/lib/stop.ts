/** Ends the command with a sentence for its user: what is wrong and what to do. No stack is shown. */
export class Stop extends Error {}

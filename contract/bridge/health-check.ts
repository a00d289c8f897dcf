/** What a supervisor asks the process that it has started, over the channel between them, and what that answers at once when it is well. */
export const PULSE_QUESTION = 'alive?'
export const PULSE_ANSWER = 'alive'

/** Health check over the channel to a started process: the supervisor asks, a healthy process answers immediately. */
export const PULSE_QUESTION = 'alive?'
export const PULSE_ANSWER = 'alive'

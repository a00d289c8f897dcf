/**
 * Messages of the health check between the supervisor and a process that it started. The supervisor asks, and a healthy
 * process answers immediately.
 */
export const PULSE_QUESTION = 'alive?'
export const PULSE_ANSWER = 'alive'

import { PULSE_ANSWER, PULSE_QUESTION } from '../../contract/bridge/health-check.ts'

/** Answers a supervisor that asks whether this process still does its work; without one it does nothing. */
export function answerSupervisor(): void {
  if (!process.send) return
  process.on('message', (message) => {
    if (message === PULSE_QUESTION && process.connected) process.send?.(PULSE_ANSWER)
  })
  // A supervisor that is gone does not hold up the end of this process.
  process.channel?.unref()
}

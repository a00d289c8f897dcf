import { PULSE_ANSWER, PULSE_QUESTION } from '../../contract/bridge/health-check.ts'

export function answerSupervisor(): void {
  if (!process.send) return
  process.on('message', (message) => {
    if (message === PULSE_QUESTION && process.connected) process.send?.(PULSE_ANSWER)
  })
  // The channel to the supervisor must not keep this process alive.
  process.channel?.unref()
}

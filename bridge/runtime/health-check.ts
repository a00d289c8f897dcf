import { HEALTH_CHECK_RESPONSE, HEALTH_CHECK_REQUEST } from '../../contract/bridge/health-check.ts'

export function answerHealthChecks(): void {
  if (!process.send) return
  process.on('message', (message) => {
    if (message === HEALTH_CHECK_REQUEST && process.connected) process.send?.(HEALTH_CHECK_RESPONSE)
  })
  // The IPC channel to the supervisor must not keep this process alive.
  process.channel?.unref()
}

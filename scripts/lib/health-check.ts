import type { ChildProcess } from 'node:child_process'
import { HEALTH_CHECK_RESPONSE, HEALTH_CHECK_REQUEST } from '../../contract/bridge/health-check.ts'

/**
 * Result of a health check. `refused`: the process is absent or unhealthy. `silent`: the process accepts the check but
 * does not respond.
 */
export type HealthStatus = 'answers' | 'refused' | 'silent'

/** Checks that a URL returns a 2xx status within `waitMs`. */
export async function checkUrl(url: string, waitMs: number): Promise<HealthStatus> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(waitMs) })
    await answer.body?.cancel()
    return answer.ok ? 'answers' : 'refused'
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'refused'
  }
}

/** Checks a child process over its IPC channel (contract/bridge/health-check.ts); timeout `waitMs`. */
export function checkChild(child: ChildProcess, waitMs: number): Promise<HealthStatus> {
  if (!child.connected) return Promise.resolve('refused')
  return new Promise((resolve) => {
    const done = (pulse: HealthStatus) => {
      clearTimeout(timer)
      child.off('message', handleMessage).off('disconnect', handleDisconnect)
      resolve(pulse)
    }
    const handleMessage = (message: unknown) => message === HEALTH_CHECK_RESPONSE && done('answers')
    const handleDisconnect = () => done('refused')
    const timer = setTimeout(() => done('silent'), waitMs)
    child.on('message', handleMessage).on('disconnect', handleDisconnect)
    child.send(HEALTH_CHECK_REQUEST, (error) => error && done('refused'))
  })
}

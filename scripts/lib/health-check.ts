import type { ChildProcess } from 'node:child_process'
import { HEALTH_CHECK_RESPONSE, HEALTH_CHECK_REQUEST } from '../../contract/bridge/health-check.ts'

/**
 * Result of a health check. `refused`: the process is absent or unhealthy. `silent`: the process accepts the check but
 * does not respond.
 */
export type HealthStatus = 'answers' | 'refused' | 'silent'

/** Checks that a URL returns a 2xx status within `timeoutMs`. */
export async function checkUrl(url: string, timeoutMs: number): Promise<HealthStatus> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    return response.ok ? 'answers' : 'refused'
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'refused'
  }
}

/** Checks a child process over its IPC channel (contract/bridge/health-check.ts); timeout `timeoutMs`. */
export function checkChild(child: ChildProcess, timeoutMs: number): Promise<HealthStatus> {
  if (!child.connected) return Promise.resolve('refused')
  return new Promise((resolve) => {
    const done = (status: HealthStatus) => {
      clearTimeout(timer)
      child.off('message', handleMessage).off('disconnect', handleDisconnect)
      resolve(status)
    }
    const handleMessage = (message: unknown) => message === HEALTH_CHECK_RESPONSE && done('answers')
    const handleDisconnect = () => done('refused')
    const timer = setTimeout(() => done('silent'), timeoutMs)
    child.on('message', handleMessage).on('disconnect', handleDisconnect)
    child.send(HEALTH_CHECK_REQUEST, (error) => error && done('refused'))
  })
}

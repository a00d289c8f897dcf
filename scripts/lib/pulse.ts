import type { ChildProcess } from 'node:child_process'
import { PULSE_ANSWER, PULSE_QUESTION } from '../../contract/bridge/health-check.ts'

/**
 * Result of a health check. `refused`: the process is absent or unhealthy; `silent`: it accepts the check but does not
 * respond.
 */
export type Pulse = 'answers' | 'refused' | 'silent'

/** Checks a URL, which must return 200 within `waitMs`. */
export async function checkUrl(url: string, waitMs: number): Promise<Pulse> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(waitMs) })
    await answer.body?.cancel()
    return answer.ok ? 'answers' : 'refused'
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'refused'
  }
}

/** Checks a child process over its IPC channel (contract/bridge/health-check.ts); timeout `waitMs`. */
export function checkChild(child: ChildProcess, waitMs: number): Promise<Pulse> {
  if (!child.connected) return Promise.resolve('refused')
  return new Promise((resolve) => {
    const done = (pulse: Pulse) => {
      clearTimeout(timer)
      child.off('message', hear).off('disconnect', leave)
      resolve(pulse)
    }
    const hear = (message: unknown) => message === PULSE_ANSWER && done('answers')
    const leave = () => done('refused')
    const timer = setTimeout(() => done('silent'), waitMs)
    child.on('message', hear).on('disconnect', leave)
    child.send(PULSE_QUESTION, (error) => error && done('refused'))
  })
}

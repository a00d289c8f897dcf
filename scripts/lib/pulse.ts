import type { ChildProcess } from 'node:child_process'
import { PULSE_ANSWER, PULSE_QUESTION } from '../../contract/bridge/health-check.ts'

/** What a process says when it is asked: `refused`: it is not there, or not well; `silent`: it takes the question and does not answer. */
export type Pulse = 'answers' | 'refused' | 'silent'

/** Asks an address, which answers 200 within `waitMs` when all is well. */
export async function checkUrl(url: string, waitMs: number): Promise<Pulse> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(waitMs) })
    await answer.body?.cancel()
    return answer.ok ? 'answers' : 'refused'
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'refused'
  }
}

/** Asks a child process over the channel that it was started with (contract/bridge/health-check.ts); it has `waitMs` to answer. */
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

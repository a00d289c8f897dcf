import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Time that each thread of machine-loop.ts needs on the reference machine: two idle cores of a current server. */
const REFERENCE_DURATION_MS = 400
/**
 * Number of threads. Tests use two cores: on half a core, they are four times slower, but a single thread is only two
 * times slower.
 */
const THREADS = 2

/**
 * Returns how many times slower this machine currently is than the reference machine, at least 1. Load from other
 * programs increases the result. Tests multiply their time limits by this factor (tests/support/machine.ts).
 */
export async function measureSlowness(): Promise<number> {
  const threads = Array.from({ length: THREADS }, () => new Worker(new URL('./machine-loop.ts', import.meta.url)))
  await Promise.all(threads.map((thread) => once(thread, 'message')))
  const started = performance.now()
  const finished = Promise.all(threads.map((thread) => once(thread, 'message')))
  for (const thread of threads) thread.postMessage('start')
  await finished
  const factor = (performance.now() - started) / REFERENCE_DURATION_MS
  await Promise.all(threads.map((thread) => thread.terminate()))
  return Math.max(1, Math.round(factor * 10) / 10)
}

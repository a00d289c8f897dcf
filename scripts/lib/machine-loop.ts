/** Thread of machine.ts: reports that it is ready, and runs a loop of fixed length after each message. */
import { parentPort } from 'node:worker_threads'

/** Number of iterations that run in 0.4 s on the reference machine. */
const BENCHMARK_ITERATIONS = 290_000_000

/**
 * Runs a loop that stays within 32-bit integers. If a loop can exceed them, V8 may generate code that is five times
 * slower.
 */
function runLoop(): number {
  let checksum = 1
  for (let i = 0; i < BENCHMARK_ITERATIONS; i++) checksum = Math.imul(checksum, 31) ^ i
  return checksum
}

// Sending the checksum keeps the loop from being optimized away.
parentPort?.on('message', () => parentPort?.postMessage(runLoop()))
parentPort?.postMessage('ready')

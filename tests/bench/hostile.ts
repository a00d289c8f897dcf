/**
 * Process that runs the hostile guests of `npm run bench -- --load`. Reads an `AttackInput` from standard input and
 * prints an `AttackResult`.
 */
import { text } from 'node:stream/consumers'
import { runAttacks, type OutcomeCounts, type Guest } from './hostile-guest.ts'

/** Input of this process: JSON on standard input. */
export interface AttackInput {
  readonly guests: readonly Guest[]
  readonly seconds: number
}

/** Output of this process: JSON on standard output. */
export interface AttackResult {
  readonly counts: OutcomeCounts
  /** CPU time that the attackers themselves used, s. */
  readonly cpuSeconds: number
}

const { guests, seconds } = JSON.parse(await text(process.stdin)) as AttackInput
const counts = await runAttacks(guests, seconds)
const { user, system } = process.cpuUsage()
const result: AttackResult = { counts, cpuSeconds: (user + system) / 1e6 }
process.stdout.write(JSON.stringify(result), () => process.exit(0))

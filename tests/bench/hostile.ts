/**
 * Process of the hostile guests of `npm run bench -- --load`: reads guests and seconds from standard input, prints the
 * counts.
 */
import { text } from 'node:stream/consumers'
import { attack, type Counts, type Guest } from './hostile-guest.ts'

/** Input of the process, as JSON on its standard input. */
export interface Orders {
  readonly guests: readonly Guest[]
  readonly seconds: number
}

/** Output of the process. */
export interface Deeds {
  readonly counts: Counts
  /** CPU time that the attackers themselves used, s. */
  readonly cpu: number
}

const { guests, seconds } = JSON.parse(await text(process.stdin)) as Orders
const counts = await attack(guests, seconds)
const { user, system } = process.cpuUsage()
const deeds: Deeds = { counts, cpu: (user + system) / 1e6 }
process.stdout.write(JSON.stringify(deeds), () => process.exit(0))

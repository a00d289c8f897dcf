/** The hostile guests of `npm run bench -- --load`, in a process of their own: reads guests and seconds, prints what it counted. */
import { text } from 'node:stream/consumers'
import { attack, type Counts, type Guest } from './hostile-guest.ts'

/** What the process is told, as JSON on its standard input. */
export interface Orders {
  readonly guests: readonly Guest[]
  readonly seconds: number
}

/** What it prints. */
export interface Deeds {
  readonly counts: Counts
  /** CPU that the attackers themselves have used, s. */
  readonly cpu: number
}

const { guests, seconds } = JSON.parse(await text(process.stdin)) as Orders
const counts = await attack(guests, seconds)
const { user, system } = process.cpuUsage()
const deeds: Deeds = { counts, cpu: (user + system) / 1e6 }
process.stdout.write(JSON.stringify(deeds), () => process.exit(0))

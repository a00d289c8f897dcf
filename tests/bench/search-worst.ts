import { insertEvent } from '../../provider/events/event-rows.ts'
import { findInHome } from '../../provider/search/search-pipeline.ts'
import { openSql } from '../support/home-sql.ts'
import type { Figure } from './figure.ts'
import { sceneEvents } from './search-quality.ts'
import { dearQueries } from './search-worst-queries.ts'
import { DAY_MS } from '../../contract/time-units.ts'

/** Pairs: the number of events in a home, and the maximum CPU time of its most expensive query, ms. */
const SIZES = [
  [100_000, 100],
  [1_000_000, 300],
] as const
const DAYS = 30
/** Number of license plates that are added to the descriptions, so that the descriptions differ. */
const PLATES = 5000
const WARM = 24

/**
 * Runs 200 expensive queries through the search code of a home. Measures the CPU time of the most expensive query,
 * summed over its slices.
 */
export async function measureWorstSearch(say: (line: string) => void = () => {}): Promise<Figure[]> {
  const { sql, transaction } = openSql()
  const { events, cameras } = await sceneEvents()
  const devices = cameras.map(({ device_id }) => device_id)
  const now = Date.now()
  const view = [{ devices, since: now - 2 * DAYS * DAY_MS, free: false }]
  const figures: Figure[] = []
  let filled = 0
  for (const [size, goal] of SIZES) {
    transaction(() => {
      for (; filled < size; filled++) {
        const event = events[(filled * 7919) % events.length]
        if (!event) throw new Error('The scenes hold no action.')
        const event_ts = now - Math.floor(((filled % 1000) + filled / 1_000_000) * ((DAYS * DAY_MS) / 1000))
        const moments = event.moments?.map(({ at_s, text }) => ({ at_s, text: `${text} Plate ${filled % PLATES}.` }))
        insertEvent(sql, { ...event, event_id: `bench_${filled}`, event_ts, ...(moments ? { moments } : {}) })
      }
    })
    const times: number[] = []
    const dear = dearQueries(devices)
    /* The first queries only warm up the code and do not count. */
    for (const [n, { days, ...queryInput }] of [...dear.slice(0, WARM), ...dear].entries()) {
      const began = process.cpuUsage()
      const { total } = await findInHome(sql, cameras, { ...queryInput, start: now - days * DAY_MS, end: now }, view)
      const { user, system } = process.cpuUsage(began)
      if (n < WARM) continue
      times.push((user + system) / 1000)
      say(`${((user + system) / 1000).toFixed(0)} ms, ${total} found: ${queryInput.query}`)
    }
    const label = `search: dearest of ${times.length} queries, ${size.toLocaleString('en')} events, its CPU`
    figures.push({ what: label, value: Math.max(...times), unit: 'ms', goal, bound: 'max' })
  }
  return figures
}

if (import.meta.main) console.log(await measureWorstSearch(process.argv.includes('--each') ? console.log : undefined))

import { insertEvent } from '../../provider/events/event-rows.ts'
import { searchHome } from '../../provider/search/search-pipeline.ts'
import { openHomeSql } from '../support/home-sql.ts'
import type { Figure } from './figure.ts'
import { buildSceneEvents } from './search-quality.ts'
import { buildExpensiveQueries } from './search-worst-queries.ts'
import { DAY_MS } from '../../contract/time-units.ts'

/** Pairs of two numbers: events in a home, and the maximum CPU time of the most expensive query in ms. */
const SIZES_AND_GOALS = [
  [100_000, 100],
  [1_000_000, 300],
] as const
const EVENT_SPAN_DAYS = 30
/** Number of different license plates. Each description contains one plate, so that descriptions differ. */
const PLATE_COUNT = 5000
const WARM_UP_QUERIES = 24

/** Runs 200 expensive queries through the search code of a home. Measures the CPU time of the most expensive one. */
export async function measureExpensiveSearches(log: (line: string) => void = () => {}): Promise<Figure[]> {
  const { sql, transaction } = openHomeSql()
  const { events, cameras } = await buildSceneEvents()
  const devices = cameras.map(({ device_id }) => device_id)
  const now = Date.now()
  const view = [{ devices, since: now - 2 * EVENT_SPAN_DAYS * DAY_MS, free: false }]
  const figures: Figure[] = []
  let insertedCount = 0
  for (const [size, goal] of SIZES_AND_GOALS) {
    transaction(() => {
      for (; insertedCount < size; insertedCount++) {
        const event = events[(insertedCount * 7919) % events.length]
        if (!event) throw new Error('The scenes contain no action.')
        const event_ts =
          now - Math.floor(((insertedCount % 1000) + insertedCount / 1_000_000) * ((EVENT_SPAN_DAYS * DAY_MS) / 1000))
        const moments = event.moments?.map(({ at_s, text }) => ({
          at_s,
          text: `${text} Plate ${insertedCount % PLATE_COUNT}.`,
        }))
        insertEvent(sql, { ...event, event_id: `bench_${insertedCount}`, event_ts, ...(moments ? { moments } : {}) })
      }
    })
    const times: number[] = []
    const expensiveQueries = buildExpensiveQueries(devices)
    /* The first queries only warm up the code and are not measured. */
    for (const [n, { days, ...queryInput }] of [
      ...expensiveQueries.slice(0, WARM_UP_QUERIES),
      ...expensiveQueries,
    ].entries()) {
      const cpuAtStart = process.cpuUsage()
      const { total } = await searchHome(sql, cameras, { ...queryInput, start: now - days * DAY_MS, end: now }, view)
      const { user, system } = process.cpuUsage(cpuAtStart)
      if (n < WARM_UP_QUERIES) continue
      times.push((user + system) / 1000)
      log(`${((user + system) / 1000).toFixed(0)} ms, ${total} found: ${queryInput.query}`)
    }
    const label = `search: CPU time of the most expensive of ${times.length} queries, ${size.toLocaleString('en')} events`
    figures.push({ label, value: Math.max(...times), unit: 'ms', goal, bound: 'max' })
  }
  return figures
}

if (import.meta.main)
  console.log(await measureExpensiveSearches(process.argv.includes('--each') ? console.log : undefined))

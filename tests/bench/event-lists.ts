import { brotliCompressSync } from 'node:zlib'
import { EVENT_TAGS } from '../../contract/events/event-tags.ts'
import { insertEvent } from '../../provider/events/event-rows.ts'
import { listEvents } from '../../provider/events/event-list-rows.ts'
import { createBridgeEvent } from '../support/home.ts'
import { openHomeSql } from '../support/home-sql.ts'
import { median } from './browser.ts'
import type { Figure } from './figure.ts'
import { MINUTE_MS } from '../../contract/time-units.ts'

/** Numbers of events to measure with. The target time is the same for both. */
const EVENT_COUNTS = [100_000, 1_000_000] as const
const RUNS = 300
const CAMERAS = ['door', 'yard', 'drive', 'porch', 'attic', 'shed']

/**
 * Measures the event list's SQL, as the `Home` object runs it, with 100,000 and 1,000,000 events. Also measures the
 * compressed size of a response with 10,000 events.
 */
export async function measureEventLists(): Promise<Figure[]> {
  const { sql, transaction } = openHomeSql()
  const now = Date.now()
  const query = { device_id_list: [], event_tag_list: [], event_value_list: [], free: false }
  const list = (count: number) =>
    listEvents(sql, [{ devices: CAMERAS, since: 0, free: false }], { ...query, begin_time: 0, end_time: now, count })
  let insertedCount = 0
  const pageFigures: Figure[] = []
  for (const size of EVENT_COUNTS) {
    transaction(() => {
      for (; insertedCount < size; insertedCount++) insertEvent(sql, buildEvent(insertedCount, now))
    })
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const started = performance.now()
      await list(50)
      times.push(performance.now() - started)
    }
    const label = `events: SQL of a 50-row page of ${size.toLocaleString('en')} events, median`
    pageFigures.push({ label, value: median(times), unit: 'ms', goal: 2, bound: 'max' })
  }
  const answer = `{"code":200,"data":{"event_list":${await list(10_000)}}}`
  return [
    ...pageFigures,
    {
      label: 'events: response of 10,000 events, brotli',
      value: brotliCompressSync(answer).length / 1024,
      unit: 'KiB',
      goal: 300,
      bound: 'max',
    },
  ]
}

function buildEvent(number: number, now: number) {
  const event_ts = now - number * MINUTE_MS - Math.floor(Math.random() * MINUTE_MS)
  const tag = EVENT_TAGS[Math.floor(Math.random() * EVENT_TAGS.length)] ?? EVENT_TAGS[0]
  const device = CAMERAS[Math.floor(Math.random() * CAMERAS.length)] ?? 'door'
  return createBridgeEvent(device, `event_${crypto.randomUUID().replaceAll('-', '')}`.slice(0, 22), {
    event_ts,
    tags: ['4', tag.id],
    event_values: [tag.name.toLowerCase()],
    title: `${tag.name} seen`,
    event_resources: [
      { begin_time: event_ts - 5000, end_time: event_ts + 13_000, resource_version: 1, resource_type: 's3' as const },
    ],
    clip_object: `h/home/clip/event_${number}.mp4`,
  })
}

if (import.meta.main) console.log(await measureEventLists())

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onboardingRegister, search, type SearchMatch } from '../../../../contract/search/search-calls.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const now = Date.now()

type DetectionBox = [number, number, number, number, number]

let neighborhood: Neighborhood

beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('yard_a', { nickname: 'Backyard' })
  await postDescribedEvent('dog', 'A dog chases a ball.')
  await postDescribedEvent('fox', 'A fox noses about by the kennel, at night.')
  await neighborhood.a.bridge.postEvent(
    createBridgeEvent('yard_a', 'plain', { event_ts: now - DAY_MS, title: 'Motion', tags: ['4'] }),
  )
  await neighborhood.call(neighborhood.a, onboardingRegister)
})
afterAll(() => neighborhood.close())

function postDescribedEvent(id: string, text: string, event_ts = now - DAY_MS) {
  const moments = [{ at_s: 7.5, text }]
  return neighborhood.a.bridge.postEvent(
    createBridgeEvent('yard_a', id, { event_ts, title: 'Animal', tags: ['4', '103'], moments }),
  )
}

const searchRange = {
  device_macs_to_include: [],
  event_tags_to_include: [],
  start_ts: now - 20 * DAY_MS,
  end_ts: now,
  limit: 50,
}
const runSearch = (query: string, more: object = {}) =>
  neighborhood.call(neighborhood.a, search, { ...searchRange, query, ...more })
const searchEventIds = async (query: string, more: object = {}) =>
  ((await runSearch(query, more)).body.data.events as SearchMatch[]).map(({ event }) => event.event_id)

describe('search query', () => {
  test('interprets times in its time zone', async () => {
    const noon = now - (now % DAY_MS) - 2 * DAY_MS + DAY_MS / 2 + 20 * 60_000
    await postDescribedEvent('badger', 'A badger digs.', noon)
    const searchBetween = async (hours: string, zone: string) => searchEventIds(`badger between ${hours}`, { zone })
    expect(await searchBetween('21:00 and 22:00', 'Asia/Tokyo')).toEqual(['badger'])
    expect(await searchBetween('21:00 and 22:00', 'America/New_York')).toEqual([])
    expect(await searchBetween('7:00 and 9:00', 'America/New_York')).toEqual(['badger'])
    for (const zone of ['no zone', 'Europe/Atlantis']) expect((await runSearch('badger', { zone })).status).toBe(400)
  })

  test('that contains only a time finds everything from that time', async () => {
    const all = await searchEventIds('yesterday', { zone: 'UTC' })
    expect(all.toSorted()).toEqual(['dog', 'fox', 'plain'])
    expect(await searchEventIds('three days ago', { zone: 'UTC' })).toEqual([])
    const formatClockTime = (ago: number) => `at ${new Date(now - ago).toISOString().slice(11, 16)}`
    expect([
      await searchEventIds(`dog ${formatClockTime(DAY_MS)}`),
      await searchEventIds(`dog ${formatClockTime(DAY_MS / 2)}`),
    ]).toEqual([['dog'], []])
    // Clocks in `Etc/GMT+12` are twelve hours behind UTC.
    expect(await searchEventIds(`dog ${formatClockTime(DAY_MS / 2)}`, { zone: 'Etc/GMT+12' })).toEqual(['dog'])
  })

  test('reports when it excludes people and when nothing remains to search for', async () => {
    const interpret = async (query: string) => (await runSearch(query)).body.data.said
    expect((await interpret('nobody in the backyard')).without).toEqual(['people'])
    expect((await interpret('what happened')).unknown).toEqual(['what happened'])
    expect((await interpret('what happened yesterday')).unknown).toEqual([])
  })

  test('reports the cameras that it names, and whether it names only cameras and times', async () => {
    const interpret = async (query: string) => {
      const { cameras, scope_only } = (await runSearch(query)).body.data.said
      return [cameras, scope_only]
    }
    const backyard = [{ said: 'backyard', device_ids: ['yard_a'] }]
    expect(await interpret('backyard yesterday at 18:00')).toEqual([backyard, true])
    expect(await interpret('yesterday at 18:00')).toEqual([[], true])
    expect(await interpret('a dog in the backyard')).toEqual([backyard, false])
    expect(await interpret('backyard without people')).toEqual([backyard, false])
    expect(await interpret('what happened')).toEqual([[], false])
  })

  test('with only excluded terms or hours leaves out events that do not match', async () => {
    const day = now - (now % DAY_MS) - 12 * DAY_MS
    const [seven, eight] = [day + 7 * 3_600_000, day + 8.5 * 3_600_000]
    const postEvent = (id: string, title: string, event_ts: number) =>
      neighborhood.a.bridge.postEvent(
        createBridgeEvent('yard_a', id, { event_ts, title, tags: ['4'], event_values: [] }),
      )
    await postEvent('visitor', 'Person', seven)
    await postEvent('hedgehog', 'Animal', eight)
    const dayRange = { start_ts: day, end_ts: day + DAY_MS, zone: 'UTC' }
    expect(await searchEventIds('nobody', dayRange)).toEqual(['hedgehog'])
    expect(await searchEventIds('between 6:00 and 8:00', dayRange)).toEqual(['visitor'])
  })

  test('counts simultaneous objects by the detections in the clip', async () => {
    const buildBox = (at: number): DetectionBox => [at, 1, 1, 9, 9]
    const buildPersonTrack = (from: number, to: number) => ({ kind: 'person', boxes: [buildBox(from), buildBox(to)] })
    const postEvent = (id: string, found: ReturnType<typeof buildPersonTrack>[]) =>
      neighborhood.a.bridge.postEvent(
        createBridgeEvent('yard_a', id, { event_ts: now - 4 * DAY_MS, title: 'Person', tags: ['101'], found }),
      )
    await postEvent('together', [buildPersonTrack(0, 500), buildPersonTrack(200, 400)])
    await postEvent('apart', [buildPersonTrack(0, 100), buildPersonTrack(200, 400)])
    expect(await searchEventIds('two people')).toEqual(['together'])
    expect((await searchEventIds('somebody', { start_ts: now - 5 * DAY_MS, end_ts: now - 4 * DAY_MS })).length).toBe(2)
  })
})

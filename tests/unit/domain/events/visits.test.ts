import { describe, expect, test } from 'vitest'
import { type Event, VISIT_GAP_MS } from '../../../../contract/events/events.ts'
import { findLongestVisit } from '../../../../src/domain/events/longest-visit.ts'
import { groupVisits, summarizeVisit } from '../../../../src/domain/events/visits.ts'

const START = 1_790_000_000_000
const CLIP_MS = 20_000

interface ClipInput extends Partial<Event> {
  /** Start of the clip, seconds after the start of the test. */
  readonly at: number
}

/** Returns events with clips of 20 seconds, newest first. */
const createEvents = (...inputs: ClipInput[]): Event[] =>
  inputs
    .map(({ at, ...event }) => {
      const begin = START + at * 1000
      return {
        event_id: `e${at}`,
        device_id: 'street',
        event_ts: begin,
        tags: ['4'],
        event_values: [],
        title: 'Motion',
        event_resources: [
          { begin_time: begin, end_time: begin + CLIP_MS, resource_version: 1, resource_type: 's3' as const },
        ],
        reviewed: true,
        ...event,
      }
    })
    .toSorted((a, b) => b.event_ts - a.event_ts)

const formatVisits = (events: readonly Event[]) =>
  groupVisits(events).map(({ clips }) => clips.map(({ event_id }) => event_id).join(' '))
const summarize = (...inputs: ClipInput[]) => {
  const [visit] = groupVisits(createEvents(...inputs))
  if (!visit) throw new Error('No visit.')
  return summarizeVisit(visit)
}

test('the longest visit has the most clip time, which is also the badge of its card', () => {
  const visits = groupVisits(createEvents({ at: 0 }, { at: 60 }, { at: 3000 }, { at: 3070, event_resources: [] }))
  expect(findLongestVisit(visits)).toMatchObject({
    visit: { clips: [{ event_id: 'e0' }, { event_id: 'e60' }] },
    lengthMs: 2 * CLIP_MS,
  })
  expect(findLongestVisit([])).toBeNull()
})

describe('visits', () => {
  test('join the clips of one camera with less than a minute between them', () => {
    const gapS = (CLIP_MS + VISIT_GAP_MS) / 1000
    expect(formatVisits(createEvents({ at: 0 }, { at: gapS - 1 }))).toEqual([`e0 e${gapS - 1}`])
    expect(formatVisits(createEvents({ at: 0 }, { at: gapS }))).toEqual([`e${gapS}`, 'e0'])
    expect(formatVisits([])).toEqual([])
  })

  test('measure the gap from the start of an event without a clip', () => {
    expect(formatVisits(createEvents({ at: 0, event_resources: [] }, { at: 60 }))).toEqual(['e60', 'e0'])
    expect(formatVisits(createEvents({ at: 0, event_resources: [] }, { at: 59 }))).toEqual(['e0 e59'])
  })

  test('of several cameras are in the order of their starts', () => {
    const events = createEvents(
      { at: 0 },
      { at: 10, device_id: 'door', event_id: 'door10' },
      { at: 40 },
      { at: 70, device_id: 'door', event_id: 'door70' },
      { at: 100 },
    )
    expect(formatVisits(events)).toEqual(['door10 door70', 'e0 e40 e100'])
  })

  test('span from the start of the first clip to the end of the last', () => {
    expect(groupVisits(createEvents({ at: 0 }, { at: 30 }))[0]).toMatchObject({
      begin: START,
      end: START + 30_000 + CLIP_MS,
    })
  })
})

describe('the summary of a visit', () => {
  test('is the event itself for a single clip', () => {
    const events = createEvents({ at: 0, title: 'Pet' })
    expect(groupVisits(events).map(summarizeVisit)[0]).toBe(events[0])
  })

  test('has the id of the first clip, so that the visit keeps its id when clips follow', () => {
    expect(summarize({ at: 0 }, { at: 30 })).toMatchObject({ event_id: 'e0', event_ts: START, device_id: 'street' })
  })

  test('adds up the lengths of the clips', () => {
    const {
      event_resources: [clip],
    } = summarize({ at: 0 }, { at: 30, event_resources: [] }, { at: 60 })
    expect((clip?.end_time ?? 0) - (clip?.begin_time ?? 0)).toBe(2 * CLIP_MS)
    expect(summarize({ at: 0, event_resources: [] }, { at: 30, event_resources: [] }).event_resources).toEqual([])
  })

  test('is seen once all clips are seen', () => {
    expect(summarize({ at: 0 }, { at: 30, reviewed: false }).reviewed).toBe(false)
    expect(summarize({ at: 0 }, { at: 30 }).reviewed).toBe(true)
  })

  test('has the title of the clip with the strongest kind, and never "Motion" beside another kind', () => {
    expect(summarize({ at: 0 }, { at: 30 })).toMatchObject({ title: 'Motion', tags: ['4'] })
    expect(summarize({ at: 0 }, { at: 30, title: 'Person with a box', tags: ['4', '101'] }).title).toBe(
      'Person with a box',
    )
    expect(summarize({ at: 0 }, { at: 30, title: 'Talking', tags: ['800005'] }).title).toBe('Talking')
  })

  test('names the two strongest kinds if no clip shows both', () => {
    const clips = [
      { at: 0, title: 'Pet', tags: ['103'] },
      { at: 30, title: 'Van stops', tags: ['102'] },
      { at: 60, title: 'Person gets out', tags: ['101'] },
    ]
    expect(summarize(...clips).title).toBe('Person and vehicle')
    expect(summarize(...clips, { at: 90, title: 'Person at the van', tags: ['101', '102'] }).title).toBe(
      'Person at the van',
    )
  })
})

import { describe, expect, test } from 'vitest'
import type { TimelineRun } from '../../../../contract/events/timeline.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../contract/time-units.ts'
import { distanceLabel, emptyTimeText, emptyTimeTitle } from '../../../../src/domain/copy/empty-time.ts'
import { getEmptyTime, toTimelineRange } from '../../../../src/domain/search/empty-time.ts'
import { removePhrase } from '../../../../src/domain/search/remove-phrase.ts'
import { endOfDay, startOfDay } from '../../../../src/domain/time/local-time.ts'

const NOW = new Date(2026, 10, 26, 12, 0).getTime()
const SIX = new Date(2026, 10, 25, 18, 0).getTime()
const SPAN = { begin: SIX - 30 * MINUTE_MS, end: SIX + 30 * MINUTE_MS - 1 }
const INTERPRETATION = { nowhere: [], instead: [], without: [], places: [], unknown: [] }
const TIME = { start: SPAN.begin, end: SPAN.end, hours: null, part: null, isClock: true, said: '', rest: 'front door' }

const createSearch = (interpretation: object = {}, time: object | null = {}) => ({
  time: time && { ...TIME, ...time },
  asked: SPAN,
  answer: {
    events: [],
    said: {
      ...INTERPRETATION,
      cameras: [{ said: 'front door', device_ids: ['door'] }],
      scope_only: true,
      ...interpretation,
    },
  },
})

describe('a search for a camera and a time without a clip', () => {
  test('has the camera, the searched span, and a strip from one hour before the time to three hours after', () => {
    expect(getEmptyTime(createSearch())).toEqual({
      said: ['front door'],
      deviceIds: ['door'],
      span: SPAN,
      anchor: { begin: SIX, end: SIX },
      view: { begin: SIX - HOUR_MS, end: SIX + 3 * HOUR_MS },
    })
  })

  test('is not a search for other terms, for a time only, or for hours of every day', () => {
    expect(getEmptyTime(createSearch({ scope_only: false }))).toBeNull()
    expect(getEmptyTime(createSearch({ cameras: [] }))).toBeNull()
    expect(getEmptyTime(createSearch({}, null))).toBeNull()
    expect(getEmptyTime(createSearch({}, { start: null, end: null, hours: [1050, 1110] }))).toBeNull()
  })

  test('opens the timeline of the hours around the time, or of whole days across midnight', () => {
    expect(toTimelineRange({ begin: SIX - HOUR_MS, end: SIX + 3 * HOUR_MS })).toEqual({
      start: '2026-11-25',
      end: '2026-11-25',
      hours: [17, 22],
    })
    expect(toTimelineRange({ begin: SIX, end: SIX + 8 * HOUR_MS })).toMatchObject({ end: '2026-11-26', hours: [0, 23] })
  })
})

describe('the texts of a time without a clip', () => {
  const describeRuns = (...states: readonly (readonly [number, TimelineRun[2]])[]) => {
    let from = SPAN.begin - HOUR_MS
    const runs = states.map(([minutes, state], n): TimelineRun => {
      const end = n === 0 ? SPAN.begin + minutes * MINUTE_MS : from + minutes * MINUTE_MS
      const run: TimelineRun = [from, end, state, '']
      from = end
      return run
    })
    return emptyTimeText('Front door', runs, SPAN, NOW)
  }

  test('name the camera and the time', () => {
    expect(emptyTimeTitle('Front door', TIME, SPAN, NOW)).toMatch(
      /^No clips from Front door around (18:00|6\u00a0PM) yesterday$/,
    )
    const day = { begin: startOfDay(NOW), end: endOfDay(NOW) }
    expect(emptyTimeTitle('Front door', { isClock: false }, day, NOW)).toBe('No clips from Front door today')
  })

  test('say what the camera did, from its timeline', () => {
    expect(describeRuns([60, 'live_only'])).toContain('was online and recorded nothing')
    expect(describeRuns([60, 'asleep'])).toContain('was asleep on')
    expect(describeRuns([60, 'offline'])).toContain('was offline on')
    expect(describeRuns([60, 'bridge_off'])).toContain('the hub was offline')
    expect(describeRuns([45, 'live_only'], [15, 'offline'])).toContain('was online for 45 min and offline for 15 min')
  })

  test('never say that nothing was recorded if clips have expired or cannot be shown', () => {
    expect(describeRuns([30, 'live_only'], [30, 'expired'])).toMatch(/was online on .+ have expired\.$/)
    expect(describeRuns([30, 'live_only'], [30, 'not_kept'])).not.toContain('recorded nothing')
    expect(describeRuns([55, 'live_only'], [5, 'recorded'])).not.toContain('recorded nothing')
    expect(describeRuns([60, 'unknown'])).toContain('no data')
  })

  test('state the distance of a clip from the named instant', () => {
    const anchor = { begin: SIX, end: SIX }
    expect(distanceLabel(SIX - 46 * MINUTE_MS, anchor)).toBe('46 min before')
    expect(distanceLabel(SIX + 106 * MINUTE_MS, anchor)).toBe('1 h 46 min after')
  })
})

test('words of a query are removed with the spaces around them', () => {
  expect(removePhrase('Front  door yesterday at 18:00', 'front door')).toBe('yesterday at 18:00')
  expect(removePhrase('a dog, backyard', 'backyard')).toBe('a dog')
  expect(removePhrase('doors open', 'door')).toBe('doors open')
  expect(removePhrase('yard (old)', 'yard (old')).toBe(')')
})

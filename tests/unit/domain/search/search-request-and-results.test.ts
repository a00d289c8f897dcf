import { describe, expect, test } from 'vitest'
import type { SearchMatch } from '../../../../contract/search/search-calls.ts'
import { exactTimeLabel } from '../../../../src/domain/time/date-formats.ts'
import { DEFAULT_FILTER } from '../../../../src/domain/events/event-url.ts'
import {
  listFilterLabels,
  filterMatches,
  toSearchRequest,
  sortMatches,
  findSuggestions,
} from '../../../../src/domain/search/search-request.ts'
import {
  coverageNote,
  coverageTitle,
  daysPhrase,
  foundCountLabel,
  hasCoverageGaps,
  clipPositionLabel,
  showAllLabel,
  searchedPercent,
  searchTimeLabel,
} from '../../../../src/domain/copy/search-results.ts'
import { areDistinct, extractFacts } from '../../../support/facts.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const NOW = new Date(2026, 10, 20, 12).getTime()
const createMatch = (event_id: string, event_ts: number, more: Partial<SearchMatch['event']> = {}): SearchMatch => ({
  event: {
    event_id,
    device_id: 'CAM1',
    event_ts,
    tags: ['4'],
    event_values: [],
    title: 'Motion',
    event_resources: [],
    reviewed: false,
    ...more,
  },
  strength: 'good',
  at_s: 0,
  why: [],
})
const listEventIds = (matches: readonly SearchMatch[]) => matches.map(({ event }) => event.event_id)

describe('search results', () => {
  const found = [createMatch('b', NOW - 2), createMatch('c', NOW - 1), createMatch('a', NOW - 3)]

  test('SEARCH-03 keep the order of the search when the best come first', () => {
    expect(listEventIds(sortMatches(found, 'best'))).toEqual(['b', 'c', 'a'])
  })

  test('are sorted newest or oldest first on request, without changing the order of the search', () => {
    expect(listEventIds(sortMatches(found, 'newest'))).toEqual(['c', 'b', 'a'])
    expect(listEventIds(sortMatches(found, 'oldest'))).toEqual(['a', 'b', 'c'])
    expect(listEventIds(found)).toEqual(['b', 'c', 'a'])
  })

  test('are filtered by the selected people and by seen or not seen', () => {
    const maya = createMatch('maya', NOW, { tags: ['12'], event_values: ['face', 'Maya'], reviewed: true })
    const all = [createMatch('cat', NOW), maya]
    expect(filterMatches(all, DEFAULT_FILTER)).toBe(all)
    expect(listEventIds(filterMatches(all, { ...DEFAULT_FILTER, people: ['Maya'] }))).toEqual(['maya'])
    expect(listEventIds(filterMatches(all, { ...DEFAULT_FILTER, seen: false }))).toEqual(['cat'])
  })
})

describe('a search request', () => {
  const searchInput = {
    query: 'a fox',
    filter: DEFAULT_FILTER,
    asIs: false,
    zone: 'Europe/Berlin',
    span: { begin: 1, end: 2 },
  }

  test('contains the days, cameras and tags of the filter, and the time zone', () => {
    const filter = { ...DEFAULT_FILTER, cameras: ['CAM1'], tags: ['101' as const] }
    expect(toSearchRequest({ ...searchInput, filter })).toEqual({
      device_macs_to_include: ['CAM1'],
      event_tags_to_include: ['101'],
      start_ts: 1,
      end_ts: 2,
      limit: 50,
      query: 'a fox',
      zone: 'Europe/Berlin',
      as_is: false,
    })
    expect(toSearchRequest({ ...searchInput, asIs: true })).toMatchObject({ as_is: true })
  })

  test('contains all tags of a selected kind', () => {
    const { event_tags_to_include: tags } = toSearchRequest({
      ...searchInput,
      filter: { ...DEFAULT_FILTER, kinds: ['motion'] },
    })
    expect(tags).toEqual(['4', '101', '102', '103', '104'])
  })

  test('lists its conditions besides cameras and days', () => {
    expect(listFilterLabels(DEFAULT_FILTER)).toEqual([])
    expect(listFilterLabels({ ...DEFAULT_FILTER, kinds: ['face'], tags: ['800002'], seen: false })).toEqual([
      'Face',
      'Barking',
      'Unseen',
    ])
  })
})

describe('search suggestions', () => {
  test('contain the typed text, prefix matches first, each once, six at most', () => {
    const history = ['a white van', 'white van', 'red car']
    expect(findSuggestions(' White', history, ['White van', 'white dog'])).toEqual([
      'White van',
      'white dog',
      'a white van',
    ])
    expect(
      findSuggestions(
        'c',
        Array.from({ length: 9 }, (_, i) => `car ${i}`),
      ),
    ).toHaveLength(6)
  })

  test('are empty for empty input, and exclude the text already typed', () => {
    expect(findSuggestions('  ', ['white van'])).toEqual([])
    expect(findSuggestions('white van', ['White van', 'white van at night'])).toEqual(['white van at night'])
  })
})

const COVERAGE_WORDS = ['uploading', 'waiting', 'not described']

describe('search coverage', () => {
  const range = { begin: NOW - 13 * DAY_MS, end: NOW }
  const formatTitle = (of: Parameters<typeof coverageTitle>[0]) => coverageTitle(of, range, NOW)
  const coverage = {
    clips: 430,
    searched: 412,
    arriving: 11,
    waiting: 0,
    undescribed: 7,
    kept_since: NOW - 13 * DAY_MS,
  }

  test('states how much was searched, and what was not', () => {
    const texts = [
      coverage,
      { ...coverage, searched: 423, undescribed: 0, arriving: 7 },
      { ...coverage, searched: 430, arriving: 0, undescribed: 0 },
      { ...coverage, clips: 0, searched: 0 },
    ].map(formatTitle)
    expect(texts.map((text) => extractFacts(text, ...COVERAGE_WORDS))).toEqual([
      ['412', '430', '7', '20 Nov', '11', 'uploading', '7', 'not described'],
      ['423', '430', '7', '20 Nov', '7', 'uploading'],
      ['430', '7', '20 Nov'],
      [],
    ])
    expect(areDistinct(texts)).toBe(true)
  })

  test('counts clips that wait for a description apart from those that never get one', () => {
    const coverageWithWaiting = { ...coverage, clips: 461, waiting: 31 }
    expect(extractFacts(formatTitle(coverageWithWaiting), ...COVERAGE_WORDS)).toEqual([
      '412',
      '461',
      '7',
      '20 Nov',
      '11',
      'uploading',
      '31',
      'waiting',
      '7',
      'not described',
    ])
    const singleWaiting = { ...coverageWithWaiting, clips: 413, arriving: 0, waiting: 1, undescribed: 0 }
    expect(extractFacts(formatTitle(singleWaiting), ...COVERAGE_WORDS).filter((fact) => fact !== '20 Nov')).toEqual([
      '412',
      '413',
      '7',
      '1',
      'waiting',
    ])
    expect(searchedPercent(coverageWithWaiting)).toBe(89)
    const notes = [coverageWithWaiting, coverage, { ...coverage, undescribed: 0 }].map((of) =>
      coverageNote(of, range, NOW),
    )
    expect([notes[0] === notes[1], notes[1] === notes[2]]).toEqual([true, false])
    expect(coverageNote({ ...coverageWithWaiting, undescribed: 0 }, range, NOW)).toBe(notes[0])
  })

  test('names the days that were searched: none outside the retention period, none after today', () => {
    const all = { ...coverage, searched: 430, kept_since: NOW - 29 * DAY_MS }
    const listDays = (begin: number, end: number) => extractFacts(coverageTitle(all, { begin, end }, NOW)).slice(1)
    expect(listDays(NOW - 4 * DAY_MS, NOW + DAY_MS)).toEqual(['16', '20 Nov'])
    expect(listDays(NOW - 60 * DAY_MS, NOW - 25 * DAY_MS)).toEqual(['22', '26 Oct'])
    expect(hasCoverageGaps(all, range)).toBe(false)
    expect(hasCoverageGaps({ ...all, searched: 429 }, range)).toBe(true)
    expect(hasCoverageGaps(all, { ...range, begin: NOW - 60 * DAY_MS })).toBe(true)
  })

  test('is 100 percent only if everything was searched', () => {
    expect(searchedPercent(coverage)).toBe(95)
    expect(searchedPercent({ ...coverage, clips: 1000, searched: 999 })).toBe(99)
    expect(searchedPercent({ ...coverage, searched: 430 })).toBe(100)
  })

  test('states how far back the plan keeps events, and that older days were not searched', () => {
    const notes = [13, 20].map((days) =>
      coverageNote({ ...coverage, undescribed: 0 }, { ...range, begin: NOW - days * DAY_MS }, NOW),
    )
    expect(notes.map((text) => extractFacts(text))).toEqual(Array(2).fill(['13 days']))
    expect(areDistinct(notes)).toBe(true)
  })

  test('states before which time not everything was compared, and what helps', () => {
    const left_out = { before: new Date(2026, 10, 12, 9, 41, 14).getTime(), clips: 1200 }
    const partly = { ...coverage, clips: 1630, left_out }
    expect(extractFacts(formatTitle(partly), ...COVERAGE_WORDS).slice(-3)).toEqual(['7', 'not described', '1,200'])
    const note = coverageNote(partly, { begin: NOW - 13 * DAY_MS, end: NOW }, NOW)
    expect(extractFacts(note).slice(0, 2)).toEqual(['12 Nov', '09:41:14'])
  })

  test('names the days', () => {
    expect(daysPhrase(14)).toBe('in the last 14 days')
    expect(daysPhrase({ start: '2026-11-07', end: '2026-11-20', hours: [0, 23] })).toBe('from 7 – 20 November')
  })

  test('names moments the way owners read them', () => {
    const found = [
      foundCountLabel(1, 1, 1),
      foundCountLabel(6, 50, 50),
      foundCountLabel(50, 50, 499),
      foundCountLabel(7, 50, 51),
    ]
    expect(found.map((text) => extractFacts(text))).toEqual([['1'], ['6'], ['499', '50'], ['51', '7', '50']])
    expect(foundCountLabel(50, 50, 500)).toMatch(/^500\+ clips, best 50/)
    expect([showAllLabel(130), showAllLabel(500)]).toEqual(['Show all 130', 'Show all 500+'])
    // The label rounds down so that playback never starts after the match.
    expect(clipPositionLabel(7.9)).toBe('from 0:07')
    expect(exactTimeLabel(new Date(2026, 10, 20, 9, 41, 14).getTime(), NOW)).toBe('Today 09:41:14')
    expect(exactTimeLabel(new Date(2026, 10, 17, 14, 2, 31).getTime(), NOW)).toBe('Tue 17 Nov 14:02:31')
    expect(searchTimeLabel(NOW - 20_000, NOW)).toBe('now')
    expect(searchTimeLabel(NOW - 3_600_000, NOW)).toBe('11:00')
    expect(searchTimeLabel(NOW - DAY_MS, NOW)).toBe('Yesterday')
    expect(searchTimeLabel(NOW - 5 * DAY_MS, NOW)).toBe('Sun 15 Nov')
  })
})

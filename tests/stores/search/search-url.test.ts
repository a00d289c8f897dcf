// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import { $eventUrl, changeFilter, syncEventUrl, openSearch } from '../../../src/stores/events/event-url.ts'
import { $eventTags, DEFAULT_TAGS, storeKnownPeople } from '../../../src/stores/events/event-tags.ts'
import { submitQuery, closeSearch, formatMatchHref } from '../../../src/stores/search/search-url.ts'
import { $videoSearchModal } from '../../../src/stores/shell/search-dialog.ts'
import { $searchSettings, DEFAULT_SEARCH_SETTINGS } from '../../../src/stores/search/search-settings.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const match = {
  event: {
    event_id: 'e1',
    device_id: 'CAM2',
    event_ts: 1,
    tags: ['4'],
    event_values: [],
    title: 'Motion',
    event_resources: [],
    reviewed: false,
  },
  strength: 'strong',
  at_s: 7.46,
  why: [],
} satisfies Pick<SearchMatch, 'event' | 'strength' | 'at_s' | 'why'> as unknown as SearchMatch

const readUrl = () => location.pathname + location.search

let stop = () => {}
const openUrl = (url: string) => {
  history.replaceState(null, '', url)
  stop = syncEventUrl()
}
beforeEach(() => $searchSettings.set(DEFAULT_SEARCH_SETTINGS))
afterEach(() => stop())

describe('the search on the live page', () => {
  test('has its own URL, which still names what the page shows', async () => {
    openUrl('/live?camera=CAM1')
    openSearch()
    expect([readUrl(), $videoSearchModal.get()]).toEqual(['/live?camera=CAM1&search=', true])
    submitQuery('a dog')
    submitQuery('a cat')
    expect(readUrl()).toBe('/live?camera=CAM1&search=a+cat')
    changeFilter({ range: 60, cameras: ['CAM1', 'CAM2'] })
    expect(readUrl()).toBe('/live?camera=CAM1&days=60&cameras=CAM1,CAM2&search=a+cat')
    closeSearch()
    await vi.waitFor(() => expect(readUrl()).toBe('/live?camera=CAM1'), WAIT_OPTIONS)
    expect([$videoSearchModal.get(), $eventUrl.get().filter.cameras]).toEqual([false, []])
  })

  test('is restored from its URL and, once closed, leaves none of its filter there', () => {
    openUrl('/live?camera=CAM1&days=60&search=a+dog&sort=newest')
    expect($eventUrl.get()).toMatchObject({ open: null, search: 'a dog', sort: 'newest', filter: { range: 60 } })
    closeSearch()
    expect(readUrl()).toBe('/live?camera=CAM1')
  })

  test('links to the clip on the events page', () => {
    openUrl('/live?camera=CAM1&days=60&search=a+dog')
    expect(formatMatchHref(match)).toBe('/events?days=60&event=e1&camera=CAM2&t=7.4')
  })

  test('does not change the people that the event list is filtered by', () => {
    openUrl('/live?search=')
    const face = [{ id: 'p1', name: 'Maya', icon: 'scan-face', clicked: true }]
    $eventTags.set({ ...DEFAULT_TAGS, face })
    storeKnownPeople({ p1: 'Maya', p2: 'Jo' })
    expect($eventTags.get().face.map(({ name, clicked }) => [name, clicked])).toEqual([
      ['Maya', true],
      ['Jo', false],
    ])
  })
})

describe('the URL of the events page', () => {
  test('is watched once, for as long as it has a subscriber', () => {
    openUrl('/events?days=60')
    const url = $eventUrl.get()
    const second = syncEventUrl()
    expect($eventUrl.get()).toBe(url)
    stop()
    history.replaceState(null, '', '/events?search=a+dog')
    dispatchEvent(new PopStateEvent('popstate'))
    expect($eventUrl.get().search).toBe('a dog')
    stop = second
  })

  test('keeps the filter object when Back changes only the open clip', () => {
    openUrl('/events?from=2026-11-01&to=2026-11-02&cameras=CAM1&event=e1')
    const { filter } = $eventUrl.get()
    const goTo = (query: string) => {
      history.replaceState(null, '', `/events${query}`)
      dispatchEvent(new PopStateEvent('popstate'))
    }
    goTo('?from=2026-11-01&to=2026-11-02&cameras=CAM1')
    expect($eventUrl.get().open).toBeNull()
    expect($eventUrl.get().filter).toBe(filter)
    goTo('?from=2026-11-01&to=2026-11-02&cameras=CAM2')
    expect($eventUrl.get().filter.cameras).toEqual(['CAM2'])
  })
})

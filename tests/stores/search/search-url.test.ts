// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import { $address, changeFilter, syncWithUrl, openSearch } from '../../../src/stores/events/event-url.ts'
import { $eventTags, DEFAULT_TAGS, storeFaces } from '../../../src/stores/events/event-tags.ts'
import { submitQuery, closeSearch, matchHref } from '../../../src/stores/search/search-url.ts'
import { $videoSearchModal } from '../../../src/stores/shell/search-dialog.ts'
import { $searchSettings, DEFAULT_SETTINGS } from '../../../src/stores/search/search-settings.ts'
import { patience } from '../../support/patience.ts'

const match = {
  event: {
    ...{ event_id: 'e1', device_id: 'CAM2', event_ts: 1, tags: ['4'], event_values: [], title: 'Motion' },
    ...{ event_resources: [], reviewed: false },
  },
  ...{ strength: 'strong', at_s: 7.46, why: [] },
} satisfies Pick<SearchMatch, 'event' | 'strength' | 'at_s' | 'why'> as unknown as SearchMatch

const here = () => location.pathname + location.search

let stop = () => {}
const open = (address: string) => {
  history.replaceState(null, '', address)
  stop = syncWithUrl()
}
beforeEach(() => $searchSettings.set(DEFAULT_SETTINGS))
afterEach(() => stop())

describe('the search on the live page', () => {
  test('has its own URL, which still names what the page shows', async () => {
    open('/live?camera=CAM1')
    openSearch()
    expect([here(), $videoSearchModal.get()]).toEqual(['/live?camera=CAM1&search=', true])
    submitQuery('a dog')
    submitQuery('a cat')
    expect(here()).toBe('/live?camera=CAM1&search=a+cat')
    changeFilter({ range: 60, cameras: ['CAM1', 'CAM2'] })
    expect(here()).toBe('/live?camera=CAM1&days=60&cameras=CAM1,CAM2&search=a+cat')
    closeSearch()
    await vi.waitFor(() => expect(here()).toBe('/live?camera=CAM1'), patience)
    expect([$videoSearchModal.get(), $address.get().filter.cameras]).toEqual([false, []])
  })

  test('is restored from its URL and, once closed, leaves none of its filter there', () => {
    open('/live?camera=CAM1&days=60&search=a+dog&sort=newest')
    expect($address.get()).toMatchObject({ open: null, search: 'a dog', sort: 'newest', filter: { range: 60 } })
    closeSearch()
    expect(here()).toBe('/live?camera=CAM1')
  })

  test('links to the clip on the events page', () => {
    open('/live?camera=CAM1&days=60&search=a+dog')
    expect(matchHref(match)).toBe('/events?days=60&event=e1&camera=CAM2&t=7.4')
  })

  test('does not change the people that the event list is filtered by', () => {
    open('/live?search=')
    const face = [{ id: 'p1', name: 'Maya', icon: 'scan-face', clicked: true }]
    $eventTags.set({ ...DEFAULT_TAGS, face })
    storeFaces({ p1: 'Maya', p2: 'Jo' })
    expect($eventTags.get().face.map(({ name, clicked }) => [name, clicked])).toEqual([
      ['Maya', true],
      ['Jo', false],
    ])
  })
})

describe('the URL of the events page', () => {
  test('is watched once, for as long as it has a subscriber', () => {
    open('/events?days=60')
    const address = $address.get()
    const second = syncWithUrl()
    expect($address.get()).toBe(address)
    stop()
    history.replaceState(null, '', '/events?search=a+dog')
    dispatchEvent(new PopStateEvent('popstate'))
    expect($address.get().search).toBe('a dog')
    stop = second
  })
})

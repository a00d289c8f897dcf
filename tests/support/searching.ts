import { afterEach, beforeEach } from 'vitest'
import { followAddress } from '../../src/stores/events/event-url.ts'
import { askAgain, followSearch } from '../../src/stores/search/search.ts'
import { $videoSearchHistory } from '../../src/stores/search/search-history.ts'
import { $searchSettings, DEFAULT_SETTINGS } from '../../src/stores/search/search-settings.ts'
import { $videoSearchSwitch } from '../../src/stores/session/session.ts'
import type { Asked } from './client.ts'

/** The answer to a search, as recorded: so many events of all that were found. */
export const foundAnswer = <Found>(events: readonly Found[], total = events.length) => ({
  code: 200,
  data: {
    ...{ query_id: 'q1', events, total, closest: [] },
    said: { nowhere: [], instead: [], without: [], places: [], unknown: [] },
    coverage: { clips: 3, searched: 3, arriving: 0, waiting: 0, undescribed: 0, kept_since: 0 },
  },
})

/** What was asked of the search. */
export const searches = (asked: readonly Asked[]) => asked.filter(({ path }) => path.endsWith('/search'))

/** Every test of the file begins on /events, enrolled, with nothing asked. */
export function beginSearching(): void {
  let stops: (() => void)[] = []
  beforeEach(() => {
    history.replaceState(null, '', '/events')
    $searchSettings.set(DEFAULT_SETTINGS)
    $videoSearchSwitch.set(true)
    $videoSearchHistory.set([])
    stops = [followAddress(), followSearch()]
  })
  afterEach(() => {
    askAgain()
    stops.forEach((stop) => stop())
  })
}

// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { dayOf } from '../../src/domain/time/local-time.ts'
import { $address, changeFilter, openSearch } from '../../src/stores/events/event-url.ts'
import { $search } from '../../src/stores/search/search.ts'
import { askAsWritten, askFor, chooseSort } from '../../src/stores/search/search-url.ts'
import { $videoSearchHistory } from '../../src/stores/search/search-history.ts'
import { $searchSettings } from '../../src/stores/search/search-settings.ts'
import { answerWith } from '../support/client.ts'
import { beginSearching, foundAnswer, searches } from '../support/searching.ts'

const FOUND = foundAnswer([])
const settle = () => new Promise((resolve) => setTimeout(resolve))

beginSearching()

describe('a question', () => {
  it('covers the time that a question names, and is told by whose clock; the filter of the page stays as it is', async () => {
    const asked = answerWith({ search: FOUND })
    openSearch()
    askFor('a parcel yesterday')
    await settle()
    const today = new Date(Date.now()).setHours(0, 0, 0, 0)
    const yesterday = new Date(today)
    yesterday.setDate(yesterday.getDate() - 1)
    const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
    const named = { start_ts: yesterday.getTime(), end_ts: today - 1 }
    expect(searches(asked)[0]?.body).toMatchObject({ query: 'a parcel yesterday', zone, as_is: false, ...named })
    expect($search.get()).toMatchObject({ time: { said: 'yesterday', rest: 'a parcel' } })
    expect([$address.get().filter.range, location.search]).toEqual([14, '?search=a+parcel+yesterday'])
    const range = { start: dayOf(yesterday.getTime()), end: dayOf(today), hours: [0, 23] as const }
    changeFilter({ range })
    askFor('a parcel since yesterday')
    await settle()
    expect(searches(asked).at(-1)?.body).toMatchObject({ start_ts: yesterday.getTime() })
    expect($address.get().filter.range).toEqual(range)
  })

  it('without the time that it names is a question of its own, before which Back leads', async () => {
    const asked = answerWith({ search: FOUND })
    openSearch()
    askFor('a heron last night')
    await settle()
    const now = $search.get()
    const entries = history.length
    askFor(now.state === 'found' ? (now.time?.rest ?? '') : '')
    await settle()
    expect(history.length).toBe(entries + 1)
    expect($search.get()).toMatchObject({ query: 'a heron', time: null })
    expect(searches(asked).map(({ body }) => (body as { query: string }).query)).toEqual([
      'a heron last night',
      'a heron',
    ])
    askFor('')
    expect([$search.get(), $searchSettings.get().query]).toEqual([{ state: 'idle' }, ''])
  })

  it('as it is written is a question of its own, which stands in the address until another is asked', async () => {
    const asked = answerWith({ search: FOUND })
    openSearch()
    askFor('drivway')
    await settle()
    chooseSort('newest')
    askAsWritten()
    await settle()
    expect(location.search).toBe('?search=drivway&sort=newest&as=written')
    expect(searches(asked).map(({ body }) => (body as { as_is: boolean }).as_is)).toEqual([false, true])
    expect($videoSearchHistory.get()[0]).toMatchObject({ query: 'drivway' })
    changeFilter({ cameras: ['CAM1'] })
    await settle()
    expect(searches(asked).at(-1)?.body).toMatchObject({ as_is: true, device_macs_to_include: ['CAM1'] })
    askFor('drivway')
    expect(location.search).toBe('?cameras=CAM1&search=drivway&sort=newest')
    history.replaceState(null, '', '/events?search=drivway&as=written')
    dispatchEvent(new PopStateEvent('popstate'))
    await settle()
    expect(searches(asked)).toHaveLength(4)
  })
})

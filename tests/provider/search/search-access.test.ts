import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { onboardingRegister, search } from '../../../contract/search/search-calls.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import {
  type Account,
  addAccount,
  createBridgeEvent,
  type CallResponse,
  type Neighborhood,
} from '../../support/home.ts'
import { buildSearchInput, getMatches, openSearchNeighborhood } from '../../support/search-neighborhood.ts'

const now = Date.now()
let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openSearchNeighborhood(now)
})
afterAll(() => neighborhood.close())

const runSearch = (account: Account, query: string): Promise<CallResponse> =>
  neighborhood.call(account, search, buildSearchInput(now, query))
const searchEventIds = async (account: Account, query: string) =>
  getMatches(await runSearch(account, query)).map(({ event }) => event.event_id)

describe('a plan', () => {
  test('without search gets a rejection with a reason', async () => {
    const free = await addAccount(neighborhood.bindings, 'free')
    const { status, body } = await runSearch(free, 'dog')
    expect([status, body.msg]).toEqual([403, expect.stringMatching(/plan/)])
    expect((await neighborhood.call(free, onboardingRegister)).status).toBe(403)
  })

  test('of the home that shares a camera counts for that camera, and for no other', async () => {
    const guest = await addAccount(neighborhood.bindings, 'guest')
    await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'yard_a', email: 'guest@example.com', role: 2 })
    await neighborhood.call(guest, onboardingRegister)
    expect(await searchEventIds(guest, 'dog')).toEqual(['dog'])
    expect(await searchEventIds(guest, 'courier')).toEqual([])
    expect((await runSearch(guest, 'courier')).body.data.coverage.clips).toBe(2)
    const setPlan = (sku: string) =>
      neighborhood.bindings.DB.prepare("UPDATE subscriptions SET sku = ? WHERE user_id = 'user_a'").bind(sku).run()
    await setPlan('hms')
    expect((await runSearch(guest, 'dog')).status).toBe(403)
    await setPlan('unlimited')
  })

  test('in each of several homes gives one result list, best match first', async () => {
    await neighborhood.call(neighborhood.b, shareCamera, { device_id: 'door_b', email: 'a@example.com', role: 2 })
    const moments = [{ at_s: 2, text: 'A fox sits in the hall, at night.' }]
    const theirs = { event_ts: now - 5 * DAY_MS, title: 'Animal', tags: ['103'], event_values: [], moments }
    await neighborhood.b.bridge.postEvent(createBridgeEvent('door_b', 'their_fox', theirs))
    expect(await searchEventIds(neighborhood.a, 'fox in the hall')).toEqual(['their_fox'])
    const night = [{ at_s: 2, text: 'A courier waits, at night.' }]
    await neighborhood.b.bridge.postEvent(
      createBridgeEvent('door_b', 'their_courier', { ...theirs, title: 'Person', moments: night }),
    )
    expect(await searchEventIds(neighborhood.a, 'courier at night')).toEqual(['their_courier', 'courier'])
    expect((await runSearch(neighborhood.a, 'fox')).body.data.coverage.clips).toBeGreaterThan(6)
  })
})

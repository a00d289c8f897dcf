import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getActivity, type ActivityEntry } from '../../../../contract/account/activity.ts'
import { getCameraAreas, setCameraAreas } from '../../../../contract/cameras/camera-areas.ts'
import { removeCamera, shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { onboardingRegister, search, type SearchMatch } from '../../../../contract/search/search-calls.ts'
import {
  addAccount,
  createBridgeEvent,
  openNeighborhood,
  type Account,
  type Neighborhood,
} from '../../../support/home.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const now = Date.now()

let neighborhood: Neighborhood
let guest: Account
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('one_a', { nickname: 'Camera 1' })
  await neighborhood.a.bridge.register('two_a', { nickname: 'Camera 2', device_order: 2 })
  await neighborhood.a.bridge.register('attic_a', { nickname: 'Attic', device_order: 3 })
  await neighborhood.b.bridge.register('door_b', { nickname: 'Hall' })
  for (const device of ['one_a', 'two_a', 'attic_a']) {
    const moments = [{ at_s: 1, text: 'A cat sits on a chair.' }]
    const cat = { event_ts: now - DAY_MS, title: 'Pet', tags: ['103'], event_values: [], moments }
    await neighborhood.a.bridge.postEvent(createBridgeEvent(device, `cat_${device}`, cat))
  }
  guest = await addAccount(neighborhood.bindings, 'guest')
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'two_a', email: 'guest@example.com', role: 2 })
  for (const account of [neighborhood.a, guest]) await neighborhood.call(account, onboardingRegister)
})
afterAll(() => neighborhood.close())

const setAreas = (device_id: string, places: string[], account: Account = neighborhood.a) =>
  neighborhood.call(account, setCameraAreas, { device_id, places } as never)
const readAreas = async (device_id: string) =>
  (await neighborhood.call(neighborhood.a, getCameraAreas, { device_id })).body.data.places as string[]

async function runSearch(query: string, account: Account = neighborhood.a) {
  const all = { device_macs_to_include: [], event_tags_to_include: [], limit: 50 }
  const { body } = await neighborhood.call(account, search, { ...all, query, start_ts: now - 2 * DAY_MS, end_ts: now })
  const events = body.data.events as SearchMatch[]
  return { found: events.map(({ event }) => event.event_id).toSorted(), places: body.data.said.places as string[] }
}

describe('camera area', () => {
  test('is stored as its owner sets it, in a fixed order, until the owner clears it', async () => {
    expect(await readAreas('one_a')).toEqual([])
    expect((await setAreas('one_a', ['upstairs', 'back'])).status).toBe(200)
    expect(await readAreas('one_a')).toEqual(['back', 'upstairs'])
    await setAreas('one_a', [])
    expect(await readAreas('one_a')).toEqual([])
  })

  test('must exist, be named only once, and needs a new nonce each time', async () => {
    expect((await setAreas('one_a', ['roof'])).status).toBe(400)
    expect((await setAreas('one_a', ['back', 'back'])).status).toBe(400)
    const answers = await neighborhood.replayNonce(neighborhood.a, setCameraAreas, { device_id: 'one_a', places: [] })
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400])
  })

  test('is set and read by the owner only: 403 for a guest, 404 for a camera without access', async () => {
    const guestResponses = [await setAreas('two_a', ['back'], guest)]
    guestResponses.push(await neighborhood.call(guest, getCameraAreas, { device_id: 'two_a' }))
    const foreignResponses = [await setAreas('door_b', ['back'])]
    foreignResponses.push(await neighborhood.call(neighborhood.a, getCameraAreas, { device_id: 'door_b' }))
    expect([guestResponses, foreignResponses].map((all) => all.map(({ status }) => status))).toEqual([
      [403, 403],
      [404, 404],
    ])
    expect(await readAreas('two_a')).toEqual([])
  })

  test('is recorded in the activity log only when it changes', async () => {
    await setAreas('two_a', ['front'])
    await setAreas('two_a', ['front'])
    await setAreas('two_a', ['back'])
    const entries = async () => {
      const { entries } = (await neighborhood.call(neighborhood.a, getActivity)).body.data as {
        entries: ActivityEntry[]
      }
      return entries.filter(({ camera, kind }) => camera === 'Camera 2' && kind === 'camera-settings')
    }
    await expect.poll(async () => (await entries()).length).toBe(2)
    expect(await entries()).toMatchObject([{ value: 'places', own: true }, { value: 'places' }])
    await setAreas('two_a', [])
  })
})

describe('search by camera area', () => {
  test('finds a camera by its area instead of its name, for its guest too, until the area is cleared', async () => {
    expect(await runSearch('cat at the back')).toEqual({ found: [], places: ['at the back'] })
    await setAreas('two_a', ['back', 'downstairs'])
    expect(await runSearch('cat at the back')).toEqual({ found: ['cat_two_a'], places: [] })
    expect(await runSearch('cat downstairs', guest)).toEqual({ found: ['cat_two_a'], places: [] })

    expect(await runSearch('cat upstairs')).toEqual({ found: ['cat_attic_a'], places: [] })
    await setAreas('attic_a', ['inside'])
    expect(await runSearch('cat upstairs')).toEqual({ found: [], places: ['upstairs'] })
    await setAreas('one_a', ['upstairs'])
    expect(await runSearch('cat upstairs')).toEqual({ found: ['cat_one_a'], places: [] })

    for (const device of ['one_a', 'two_a', 'attic_a']) await setAreas(device, [])
    expect(await runSearch('cat upstairs')).toEqual({ found: ['cat_attic_a'], places: [] })
    expect(await runSearch('cat at the back')).toEqual({ found: [], places: ['at the back'] })
  })

  test('ignores the earlier area of a camera that was removed and registered again', async () => {
    const { bridge } = neighborhood.a
    await setAreas('one_a', ['downstairs'])
    expect((await runSearch('cat downstairs')).found).toEqual(['cat_one_a'])
    await neighborhood.call(neighborhood.a, removeCamera, { device_id: 'one_a' })
    expect(await runSearch('cat downstairs')).toEqual({ found: [], places: ['downstairs'] })
    await bridge.send('DELETE', '/bridge/v1/cameras/one_a')
    expect((await bridge.register('one_a', { nickname: 'Camera 1' })).status).toBe(200)
    expect(await readAreas('one_a')).toEqual([])
    expect(await runSearch('cat downstairs')).toEqual({ found: [], places: ['downstairs'] })
    expect((await runSearch('cat')).found).toEqual(['cat_attic_a', 'cat_one_a', 'cat_two_a'])
  })
})

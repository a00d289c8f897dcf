import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getActivity, type ActivityEntry } from '../../../../contract/account/activity.ts'
import { getCameraPlaces, setCameraPlaces } from '../../../../contract/cameras/camera-areas.ts'
import { removeCamera, shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { onboardingRegister, search, type SearchMatch } from '../../../../contract/search/search-calls.ts'
import { addAccount, makeEvent, openNeighborhood, type Account, type Neighborhood } from '../../../support/home.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const now = Date.now()

let town: Neighborhood
let guest: Account
beforeAll(async () => {
  town = await openNeighborhood()
  await town.a.bridge.register('one_a', { nickname: 'Camera 1' })
  await town.a.bridge.register('two_a', { nickname: 'Camera 2', device_order: 2 })
  await town.a.bridge.register('attic_a', { nickname: 'Attic', device_order: 3 })
  await town.b.bridge.register('door_b', { nickname: 'Hall' })
  for (const device of ['one_a', 'two_a', 'attic_a']) {
    const moments = [{ at_s: 1, text: 'A cat sits on a chair.' }]
    const cat = { event_ts: now - DAY_MS, title: 'Pet', tags: ['103'], event_values: [], moments }
    await town.a.bridge.post(makeEvent(device, `cat_${device}`, cat))
  }
  guest = await addAccount(town.bindings, 'guest')
  await town.call(town.a, shareCamera, { device_id: 'two_a', email: 'guest@example.com', role: 2 })
  for (const as of [town.a, guest]) await town.call(as, onboardingRegister)
})
afterAll(() => town.close())

const place = (device_id: string, places: string[], as: Account = town.a) =>
  town.call(as, setCameraPlaces, { device_id, places } as never)
const read = async (device_id: string) =>
  (await town.call(town.a, getCameraPlaces, { device_id })).body.data.places as string[]

async function runSearch(query: string, as: Account = town.a) {
  const all = { device_macs_to_include: [], event_tags_to_include: [], limit: 50 }
  const { body } = await town.call(as, search, { ...all, query, start_ts: now - 2 * DAY_MS, end_ts: now })
  const events = body.data.events as SearchMatch[]
  return { found: events.map(({ event }) => event.event_id).toSorted(), places: body.data.said.places as string[] }
}

describe('camera area', () => {
  test('is stored as its owner sets it, in a fixed order, until the owner clears it', async () => {
    expect(await read('one_a')).toEqual([])
    expect((await place('one_a', ['upstairs', 'back'])).status).toBe(200)
    expect(await read('one_a')).toEqual(['back', 'upstairs'])
    await place('one_a', [])
    expect(await read('one_a')).toEqual([])
  })

  test('must exist, be named only once, and needs a new nonce each time', async () => {
    expect((await place('one_a', ['roof'])).status).toBe(400)
    expect((await place('one_a', ['back', 'back'])).status).toBe(400)
    const answers = await town.repeat(town.a, setCameraPlaces, { device_id: 'one_a', places: [] })
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400])
  })

  test('is set and read by the owner only: 403 for a guest, 404 for a camera without access', async () => {
    const ofGuest = [await place('two_a', ['back'], guest)]
    ofGuest.push(await town.call(guest, getCameraPlaces, { device_id: 'two_a' }))
    const ofOthers = [await place('door_b', ['back'])]
    ofOthers.push(await town.call(town.a, getCameraPlaces, { device_id: 'door_b' }))
    expect([ofGuest, ofOthers].map((all) => all.map(({ status }) => status))).toEqual([
      [403, 403],
      [404, 404],
    ])
    expect(await read('two_a')).toEqual([])
  })

  test('is recorded in the activity log only when it changes', async () => {
    await place('two_a', ['front'])
    await place('two_a', ['front'])
    await place('two_a', ['back'])
    const entries = async () => {
      const { entries } = (await town.call(town.a, getActivity)).body.data as { entries: ActivityEntry[] }
      return entries.filter(({ camera, kind }) => camera === 'Camera 2' && kind === 'camera-settings')
    }
    await expect.poll(async () => (await entries()).length).toBe(2)
    expect(await entries()).toMatchObject([{ value: 'places', own: true }, { value: 'places' }])
    await place('two_a', [])
  })
})

describe('search by camera area', () => {
  test('finds a camera by its area instead of its name, for its guest too, until the area is cleared', async () => {
    expect(await runSearch('cat at the back')).toEqual({ found: [], places: ['at the back'] })
    await place('two_a', ['back', 'downstairs'])
    expect(await runSearch('cat at the back')).toEqual({ found: ['cat_two_a'], places: [] })
    expect(await runSearch('cat downstairs', guest)).toEqual({ found: ['cat_two_a'], places: [] })

    expect(await runSearch('cat upstairs')).toEqual({ found: ['cat_attic_a'], places: [] })
    await place('attic_a', ['inside'])
    expect(await runSearch('cat upstairs')).toEqual({ found: [], places: ['upstairs'] })
    await place('one_a', ['upstairs'])
    expect(await runSearch('cat upstairs')).toEqual({ found: ['cat_one_a'], places: [] })

    for (const device of ['one_a', 'two_a', 'attic_a']) await place(device, [])
    expect(await runSearch('cat upstairs')).toEqual({ found: ['cat_attic_a'], places: [] })
    expect(await runSearch('cat at the back')).toEqual({ found: [], places: ['at the back'] })
  })

  test('ignores the earlier area of a camera that was removed and registered again', async () => {
    const { bridge } = town.a
    await place('one_a', ['downstairs'])
    expect((await runSearch('cat downstairs')).found).toEqual(['cat_one_a'])
    await town.call(town.a, removeCamera, { device_id: 'one_a' })
    expect(await runSearch('cat downstairs')).toEqual({ found: [], places: ['downstairs'] })
    await bridge.send('DELETE', '/bridge/v1/cameras/one_a')
    expect((await bridge.register('one_a', { nickname: 'Camera 1' })).status).toBe(200)
    expect(await read('one_a')).toEqual([])
    expect(await runSearch('cat downstairs')).toEqual({ found: [], places: ['downstairs'] })
    expect((await runSearch('cat')).found).toEqual(['cat_attic_a', 'cat_one_a', 'cat_two_a'])
  })
})

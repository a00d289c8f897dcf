import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onboardingRegister, onboardingStatus, search, type Match } from '../../contract/search.ts'
import { makeEvent, openNeighbourhood, type Answer, type Household, type Neighbourhood } from '../support/home.ts'

const DAY = 86_400_000
const now = Date.now()

let town: Neighbourhood
beforeAll(async () => {
  town = await openNeighbourhood()
  await town.a.bridge.register('door_a', { nickname: 'Front door' })
  await town.a.bridge.register('yard_a', { nickname: 'Backyard' })
  const post = (device: string, id: string, title: string, text: string, more = {}) =>
    town.a.bridge.post(makeEvent(device, id, { event_ts: now - DAY, title, moments: [{ at_s: 7.5, text }], ...more }))
  await post('door_a', 'courier', 'Person with a box', 'A courier leaves a parcel on the mat and rings, by day.')
  await post('yard_a', 'dog', 'Dog barking', 'The dog barks at a white cat on the fence, by day.', {
    tags: ['4', '103', '800002'],
    event_values: ['pet', 'Barking'],
  })
  await post('yard_a', 'fox', 'Animal', 'A fox noses about by the kennel, at night.', {
    tags: ['4', '103'],
    event_values: ['pet'],
  })
})
afterAll(() => town.close())

const ask = (as: Pick<Household, 'userId' | 'token'>, query: string, more = {}): Promise<Answer> =>
  town.call(as, search, {
    ...{ device_macs_to_include: [], event_tags_to_include: [], start_ts: now - 20 * DAY, end_ts: now, limit: 50 },
    ...{ query, ...more },
  })

const listed = (answer: Answer) => answer.body.data.events.map((match: Match) => match.event.event_id)
const sentence = (match: Match) => match.why.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('')

describe('a search', () => {
  test('CALL-51 CALL-52 needs the account to be enrolled, once', async () => {
    expect((await town.call(town.a, onboardingStatus)).body.data).toEqual({ status: 2, available: true })
    const refused = await ask(town.a, 'dog')
    expect([refused.status, refused.body.msg]).toEqual([403, expect.stringMatching(/not enrolled/)])
    for (let i = 0; i < 2; i++)
      expect((await town.call(town.a, onboardingRegister)).body.data).toEqual({ status: 1, available: true })
    expect((await town.call(town.a, onboardingStatus)).body.data).toEqual({ status: 1, available: true })
  })

  test('CALL-46 SEARCH-02 finds what was meant, says why, from which second on, and out of how much', async () => {
    const { body } = await ask(town.a, 'puppy in the backyard')
    expect(listed({ status: 200, body })).toEqual(['dog'])
    const [match] = body.data.events as Match[]
    expect(match).toMatchObject({ strength: 'strong', at_s: 7.5, event: { title: 'Dog barking' } })
    expect(match?.event).not.toHaveProperty('moments')
    expect(match && sentence(match)).toBe('[Backyard]: The [dog] barks at a white cat on the fence, by day.')
    expect(body.data.coverage).toMatchObject({ clips: 3, searched: 3, arriving: 0, undescribed: 0 })
  })
})

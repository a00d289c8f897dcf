import { afterAll, beforeAll, expect, test } from 'vitest'
import { userLogin } from '../../../../contract/auth/user-calls.ts'
import type { Call } from '../../../../contract/wire/call.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST, SEARCH_LIMIT } from '../../../../contract/wire/constants.ts'
import { eventHistory } from '../../../../contract/events/events.ts'
import { onboardingRegister, search } from '../../../../contract/search/search-calls.ts'
import { openNeighborhood, type Neighborhood } from '../../../support/home.ts'

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
  for (const as of [neighborhood.a, neighborhood.b]) await neighborhood.call(as, onboardingRegister)
})
afterAll(() => neighborhood.close())

const lastHour = { begin: Date.now() - 3_600_000, end: Date.now() }
const searchInput = {
  query: 'fox',
  start_ts: lastHour.begin,
  end_ts: lastHour.end,
  limit: SEARCH_LIMIT,
  device_macs_to_include: [],
  event_tags_to_include: [],
}
const eventListInput = {
  begin_time: lastHour.begin,
  end_time: lastHour.end,
  count: EVENT_QUERY_COUNT,
  order_by: ORDER_NEWEST_FIRST,
  device_id_list: [],
  event_tag_list: [],
  event_value_list: [],
}

test.each([
  ['searches', search, searchInput, 100],
  ['lists events', eventHistory, eventListInput, 120],
])(
  'an account that %s continuously is rate limited, and its neighbor still gets responses',
  async (_, call: Call, input, burst) => {
    const answers = await Promise.all(
      Array.from({ length: burst * 2 }, () => neighborhood.call(neighborhood.a, call, input)),
    )
    const rejections = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(burst)
    expect(rejections.length).toBeGreaterThan(0)
    expect(rejections[0]?.body).toMatchObject({ code: 429 })
    expect((await neighborhood.call(neighborhood.b, call, input)).status).toBe(200)
  },
)

test('a client network that guesses passwords as fast as possible is rejected before anything is counted', async () => {
  // Insert 27 of the 30 allowed guesses directly, because each real guess takes time on an overloaded machine.
  const storage = await getAttemptCounter()
  await storage.exec('CREATE TABLE IF NOT EXISTS attempts (id INTEGER PRIMARY KEY, action TEXT, until INTEGER)')
  const until = Date.now() + 300_000
  for (let n = 0; n < 27; n++) await storage.exec("INSERT INTO attempts (action, until) VALUES ('sign-in', ?)", until)
  const sendGuess = (n: number) =>
    fetch(`${neighborhood.stage.env.PROVIDER_ORIGIN}${userLogin.path}?source=web`, {
      method: 'POST',
      body: JSON.stringify({ email: `somebody${n}@example.com`, password: 'wrong password' }),
      headers: { 'content-type': 'application/json' },
    })
  const answers = await Promise.all(Array.from({ length: 400 }, (_, n) => sendGuess(n)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
  const [row] = (await storage.exec('SELECT count(*) AS attempts FROM attempts')) as unknown as { attempts: number }[]
  expect(row?.attempts).toBeLessThanOrEqual(31)
})

/** Returns the storage of the Durable Object that counts this machine's failed sign-ins. */
const getAttemptCounter = () =>
  neighborhood.stage.provider.getWorker().getDurableObjectStorage('GUARDS', { name: 'ip:127.0.0.1' })

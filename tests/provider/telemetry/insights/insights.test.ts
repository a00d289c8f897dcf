import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BODY_BYTES_MAX } from '../../../../contract/wire/body-limits.ts'
import type { Env } from '../../../../provider/env.ts'
import { MAX_EVENTS_PER_DAY } from '../../../../provider/telemetry/insights/analytics-event-rows.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { sendSignedBatch, createStoredEvent, listStoredEvents } from '../../../support/measured.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

/** Reference time, one day in the past so that no event time is clamped to the current time. */
const NOW = Date.now() - DAY_MS

let deployment: TestDeployment
let bindings: Env
beforeAll(async () => {
  deployment = await openTestDeployment()
  bindings = (await deployment.provider.getWorker().getEnv()) as Env
})
afterAll(() => deployment.close())

const getInsights = (name: string) => bindings.INSIGHTS.getByName(name)
const buildEvents = (from: number, count: number, at = NOW) =>
  Array.from({ length: count }, (_, n) => createStoredEvent(from + n, at))

describe('an analytics batch from the edge', () => {
  test('ANALYTICS-08 is stored whole, each event once however often it arrives', async () => {
    const events = [
      createStoredEvent(1, NOW),
      createStoredEvent(2, NOW, { user: '', props: { ms: 812.5, metric: 'LCP' } }),
    ]
    for (const added of [2, 0]) {
      const answer = await sendSignedBatch(deployment.env, { events })
      expect([answer.status, await answer.json()]).toEqual([200, { code: 200, data: { added } }])
    }
    expect((await sendSignedBatch(deployment.env, { events: [...events, createStoredEvent(3, NOW)] })).status).toBe(200)
    expect(await listStoredEvents(deployment)).toEqual([...events, createStoredEvent(3, NOW)])
  })

  test('is rejected without a signature or with a wrong one', async () => {
    const before = await listStoredEvents(deployment)
    for (const signature of ['', '0'.repeat(64)])
      expect((await sendSignedBatch(deployment.env, { events: [createStoredEvent(9, NOW)] }, signature)).status).toBe(
        403,
      )
    expect(await listStoredEvents(deployment)).toEqual(before)
  })

  test.each([
    ['is not JSON', '{{', 400],
    ['is empty', { events: [] }, 400],
    ['has too many events', { events: buildEvents(100, 501) }, 400],
    ['has a malformed event', { events: [createStoredEvent(9, NOW), { id: 'x' }] }, 400],
    ['has an event type that is too long', { events: [createStoredEvent(9, NOW, { type: 'x'.repeat(81) })] }, 400],
    ['is too large', { events: [], more: 'x'.repeat(BODY_BYTES_MAX.measured) }, 413],
  ])('that %s is rejected as a whole', async (_, batch, status) => {
    const before = await listStoredEvents(deployment)
    expect((await sendSignedBatch(deployment.env, batch)).status).toBe(status)
    expect(await listStoredEvents(deployment)).toEqual(before)
  })

  test('is masked a second time', async () => {
    const leaky = createStoredEvent(20, NOW, { props: { target: 'mail owner@example.com' } })
    expect((await sendSignedBatch(deployment.env, { events: [leaky] })).status).toBe(200)
    expect(JSON.stringify(await listStoredEvents(deployment))).not.toContain('owner@example.com')
  })
})

test('counts ten thousand events exactly, even if batches overlap', async () => {
  const object = getInsights('many')
  let added = 0
  for (let from = 0; from < 10_000; from += 400) added += await object.storeEvents(buildEvents(from, 500), NOW)
  expect(added).toBe(10_100)
  expect(await listStoredEvents(deployment, 'many')).toHaveLength(10_100)
})

describe('events older than 90 days', () => {
  test('are not accepted, and are deleted when the next batch arrives', async () => {
    const object = getInsights('old')
    await object.storeEvents([createStoredEvent(1, NOW), createStoredEvent(2, NOW + DAY_MS)], NOW + DAY_MS)
    expect(
      await object.storeEvents(
        [createStoredEvent(3, NOW - 1), createStoredEvent(4, NOW + 90 * DAY_MS)],
        NOW + 90 * DAY_MS,
      ),
    ).toBe(1)
    expect((await listStoredEvents(deployment, 'old')).map(({ at }) => at)).toEqual([
      NOW,
      NOW + DAY_MS,
      NOW + 90 * DAY_MS,
    ])
    await object.storeEvents([createStoredEvent(5, NOW + 90 * DAY_MS)], NOW + 90 * DAY_MS + 1)
    expect((await listStoredEvents(deployment, 'old')).map(({ at }) => at)).toEqual([
      NOW + DAY_MS,
      NOW + 90 * DAY_MS,
      NOW + 90 * DAY_MS,
    ])
  })

  test('are deleted automatically when no more events arrive, however many there are', async () => {
    const object = getInsights('quiet')
    for (let from = 0; from < 2500; from += 500) await object.storeEvents(buildEvents(from, 500), NOW)
    await object.storeEvents([createStoredEvent(9000, NOW + DAY_MS)], NOW + DAY_MS)
    await object.deleteExpired(NOW + 90 * DAY_MS + 1)
    expect(await listStoredEvents(deployment, 'quiet')).toEqual([createStoredEvent(9000, NOW + DAY_MS)])
    await object.deleteExpired(NOW + 92 * DAY_MS)
    expect(await listStoredEvents(deployment, 'quiet')).toEqual([])
  })
})

describe('a full day of events', () => {
  const getStorage = (name: string) => deployment.provider.getWorker().getDurableObjectStorage('INSIGHTS', { name })
  const listLeftOutDays = async (name: string) =>
    (await getInsights(name).report({ from: NOW - 2 * DAY_MS, to: NOW + DAY_MS })).left_out

  test('accepts no more, reports how many were left out, and does not affect other days', async () => {
    const object = getInsights('full')
    await object.storeEvents(buildEvents(1, 3), NOW)
    await (await getStorage('full')).exec(`UPDATE days SET taken = ${MAX_EVENTS_PER_DAY - 1}`)
    expect(await listLeftOutDays('full')).toEqual([])
    expect(await object.storeEvents([...buildEvents(3, 3), createStoredEvent(9, NOW - DAY_MS)], NOW)).toBe(2)
    expect((await listStoredEvents(deployment, 'full')).map(({ id }) => id)).toEqual(
      [1, 2, 3, 4, 9].map((n) => createStoredEvent(n, 0).id),
    )
    expect(await object.storeEvents(buildEvents(5, 2), NOW)).toBe(0)
    expect(await listLeftOutDays('full')).toEqual([{ day: new Date(NOW).toISOString().slice(0, 10), events: 3 }])
  })

  test('is deleted with its count once it is old', async () => {
    const object = getInsights('gone')
    await object.storeEvents(buildEvents(1, 1), NOW)
    await object.deleteExpired(NOW + 92 * DAY_MS)
    expect(await (await getStorage('gone')).exec('SELECT * FROM days')).toEqual([])
  })
})

test('new events are stored before a report that is already being counted', async () => {
  const object = getInsights('busy')
  const completionOrder: string[] = []
  for (let from = 0; from < 20_000; from += 500)
    await object.storeEvents(buildEvents(from, 500, NOW - (from / 500) * 1000), NOW)
  const report = object.report({ from: NOW - 89 * DAY_MS, to: NOW + 1 }).then(() => completionOrder.push('report'))
  const insertion = object
    .storeEvents([createStoredEvent(90_000, NOW - DAY_MS)], NOW)
    .then(() => completionOrder.push('taken'))
  await Promise.all([report, insertion])
  expect(completionOrder).toEqual(['taken', 'report'])
})

test('deleting the data of an account keeps the events of others', async () => {
  const object = getInsights('shared')
  const others = [createStoredEvent(2, NOW, { user: 'user_2b' }), createStoredEvent(3, NOW, { user: '' })]
  await object.storeEvents([createStoredEvent(1, NOW), ...others], NOW)
  await object.deleteUserData('')
  await object.deleteUserData('user_1a')
  expect(await listStoredEvents(deployment, 'shared')).toEqual(others)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anomalyBatch, getEventListByIds } from '../../../contract/events/event-calls.ts'
import { feedTicket, reviewEvents } from '../../../contract/events/feed-and-review-calls.ts'
import { eventFeedback, feedbackVideo } from '../../../contract/events/feedback.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { deleteEvents, restoreEvents } from '../../../contract/events/timeline.ts'
import { makeEvent, openNeighborhood, type Household, type Neighborhood, RECENT } from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts'

const T = RECENT

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
  await town.a.bridge.register('door_a')
  await town.b.bridge.register('door_b')
  for (const [n, id] of ['e1', 'e2', 'e3'].entries())
    await town.a.bridge.post(makeEvent('door_a', id, { event_ts: T + n * 1000 }))
  await town.b.bridge.post(makeEvent('door_b', 'theirs', { event_ts: T }))
  const clip_object = await town.a.bridge.upload('door_a', 'clip', 'filmed', Buffer.from('film'))
  const resource = { begin_time: T, end_time: T + 9000, resource_version: 1, resource_type: 's3' as const }
  await town.a.bridge.post(makeEvent('door_a', 'filmed', { event_ts: T, event_resources: [resource], clip_object }))
})
afterAll(() => town.close())

const openFeed = async (as: Household) =>
  openSocket((await town.call(as, feedTicket)).body.data.url, { origin: town.stage.env.PORTAL_ORIGIN })

describe('event list by ids', () => {
  test('CALL-39 keeps the requested order without duplicates, and omits unknown and other accounts’ events', async () => {
    const event_id_list = ['e2', 'theirs', 'e3', 'nothing', 'e1', 'e2']
    const { body } = await town.call(town.a, getEventListByIds, { event_id_list })
    expect(body.data.event_list.map((event: { event_id: string }) => event.event_id)).toEqual(['e2', 'e3', 'e1'])
    expect((await town.call(town.b, getEventListByIds, { event_id_list: ['e1'] })).body.data).toEqual({
      event_list: [],
    })
  })
})

describe('an unusual event', () => {
  test('CALL-43 OPEN-69 is of a kind not seen by its camera at that time of day for two weeks', async () => {
    await town.a.bridge.register('yard_a')
    const at = (days: number, hours = 0) => T - DAY_MS - days * DAY_MS + hours * HOUR_MS
    const daily = Array.from({ length: 13 }, (_, n) =>
      makeEvent('yard_a', `cat_${n}`, { event_ts: at(n + 1), tags: ['4', '103'] }),
    )
    await town.a.bridge.send('POST', '/bridge/v1/history', { device_id: 'yard_a', events: daily })
    const post = (id: string, event_ts: number, tags: string[]) =>
      town.a.bridge.post(makeEvent('yard_a', id, { event_ts, tags }))
    await post('cat_today', at(0, 0.5), ['4', '103'])
    await post('cat_at_night', at(0, 8), ['4', '103'])
    await post('person', at(0, 0.6), ['4', '101'])
    await post('motion', at(0, 8.1), ['4'])
    await post('early', at(13, 5), ['4', '101'])
    const event_ids = ['cat_today', 'cat_at_night', 'person', 'motion', 'early', 'theirs']
    const { body } = await town.call(town.a, anomalyBatch, { event_ids })
    const { anomalies } = body.data as { anomalies: { event_id: string; anomaly: boolean; text: string }[] }
    expect(anomalies.map(({ event_id, anomaly }) => [event_id, anomaly])).toEqual([
      ['cat_today', false],
      ['cat_at_night', true],
      ['person', true],
      ['motion', false],
      ['early', false],
    ])
    expect(anomalies.map(({ text }) => text)).toEqual([
      '',
      expect.stringMatching(/^Pet .*\b13 days\b/),
      expect.stringMatching(/^Person .*\b13 days\b/),
      '',
      '',
    ])
    const foreign = await town.call(town.b, anomalyBatch, { event_ids })
    expect(foreign.body.data.anomalies.map((anomaly: { event_id: string }) => anomaly.event_id)).toEqual(['theirs'])
  })
})

describe('event feedback', () => {
  test('CALL-44 is stored, and can be changed and withdrawn; for another account’s event it returns 404', async () => {
    const put = async (as: Household, feedback: string, event_id = 'e1') =>
      (await town.call(as, eventFeedback, { feedback }, { event_id })).status
    expect(await put(town.a, 'wrong')).toBe(200)
    expect(await put(town.a, 'right')).toBe(200)
    expect(await put(town.a, 'none')).toBe(200)
    expect(await Promise.all([put(town.b, 'wrong'), put(town.a, 'wrong', 'nothing'), put(town.a, 'great')])).toEqual([
      404, 404, 400,
    ])
    expect(await put(town.a, 'wrong', 'a%20b')).toBe(400)
  })

  const report = (change: Record<string, unknown> = {}, data: Record<string, unknown> = {}) => ({
    event_begin_ts: T,
    event_end_ts: T + 9000,
    stage: 'submit',
    data: {
      device_info: { device_id: 'door_a', product_model: 'PL-1' },
      alarm_type: '101',
      collect_channel: 'web',
      reported_tags: ['102'],
      extra_info: { app_version: '1.0', user_agent: 'Tester' },
      service: 1,
      ...data,
    },
    ...change,
  })
  const send = (as: Household, input: Record<string, unknown>, eventId = 'filmed', deviceMac = 'door_a') =>
    town.call(as, feedbackVideo, input, { deviceMac, eventId })

  test('CALL-45 FEEDBACK-08 submits and withdraws a video, from the web only', async () => {
    expect((await send(town.a, report())).body).toEqual({ code: 200, data: { stage: 'submit' } })
    expect((await send(town.a, report({ stage: 'withdraw' }))).body.data).toEqual({ stage: 'withdraw' })
    const invalidReports = [
      report({}, { collect_channel: 'app' }),
      report({}, { service: 2 }),
      report({}, { extra_info: { app_version: '1', user_agent: 'x'.repeat(351) } }),
      report({}, { device_info: { device_id: 'other', product_model: 'PL-1' } }),
      report({ stage: 'keep' }),
      report({ event_end_ts: T - 1 }),
    ]
    for (const input of invalidReports) expect((await send(town.a, input)).status).toBe(400)
  })

  test('OPEN-76 a video report returns 404 without a clip, and 403 for another owner’s or shared camera', async () => {
    await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'b@example.com', role: 2 })
    const answers = await Promise.all([
      send(town.a, report(), 'e1'),
      send(town.a, report(), 'nothing'),
      send(town.b, report()),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403])
  })
})

describe('a second open page', () => {
  test('is notified of reviewed marks, deletions and restored events for the cameras it sees', async () => {
    const page = await openFeed(town.a)
    const guest = await openFeed(town.b)
    await town.call(town.a, reviewEvents, { event_ids: ['e1', 'e2'] })
    await town.call(town.a, reviewEvents, { event_ids: ['e2'], reviewed: false })
    const marks = [await page.receive((m) => m.type === 'reviewed'), await page.receive((m) => m.type === 'reviewed')]
    expect(marks.map(({ event_ids, reviewed }) => [event_ids, reviewed])).toEqual([
      [['e1', 'e2'], true],
      [['e2'], false],
    ])
    await town.call(town.a, deleteEvents, { event_ids: ['e1'] })
    expect(await page.receive((m) => m.type === 'removed')).toEqual({ type: 'removed', event_ids: ['e1'] })
    await town.call(town.a, restoreEvents, { event_ids: ['e1'] })
    expect(await page.receive((m) => m.type === 'event')).toMatchObject({ event: { event_id: 'e1', reviewed: true } })
    /* The guest's page receives only messages about the camera that is shared with the guest. */
    expect(await guest.receive((m) => m.type === 'removed')).toEqual({ type: 'removed', event_ids: ['e1'] })
    await Promise.all([page.close(), guest.close()])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anomalyBatch, getEventListByIds } from '../../../contract/events/event-calls.ts'
import { feedTicket, reviewEvents } from '../../../contract/events/feed-and-review-calls.ts'
import { eventFeedback, feedbackVideo } from '../../../contract/events/feedback.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { deleteEvents, restoreEvents } from '../../../contract/events/timeline.ts'
import {
  createBridgeEvent,
  openNeighborhood,
  type Household,
  type Neighborhood,
  RECENT_TIME_MS,
} from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts'

const EVENT_TIME = RECENT_TIME_MS

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
  for (const [n, id] of ['e1', 'e2', 'e3'].entries())
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', id, { event_ts: EVENT_TIME + n * 1000 }))
  await neighborhood.b.bridge.postEvent(createBridgeEvent('door_b', 'theirs', { event_ts: EVENT_TIME }))
  const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', 'filmed', Buffer.from('film'))
  const resource = {
    begin_time: EVENT_TIME,
    end_time: EVENT_TIME + 9000,
    resource_version: 1,
    resource_type: 's3' as const,
  }
  await neighborhood.a.bridge.postEvent(
    createBridgeEvent('door_a', 'filmed', { event_ts: EVENT_TIME, event_resources: [resource], clip_object }),
  )
})
afterAll(() => neighborhood.close())

const openFeed = async (household: Household) =>
  openSocket((await neighborhood.call(household, feedTicket)).body.data.url, {
    origin: neighborhood.stage.env.PORTAL_ORIGIN,
  })

describe('event list by ids', () => {
  test('CALL-39 keeps the requested order without duplicates, and omits unknown and other accounts’ events', async () => {
    const event_id_list = ['e2', 'theirs', 'e3', 'nothing', 'e1', 'e2']
    const { body } = await neighborhood.call(neighborhood.a, getEventListByIds, { event_id_list })
    expect(body.data.event_list.map((event: { event_id: string }) => event.event_id)).toEqual(['e2', 'e3', 'e1'])
    expect((await neighborhood.call(neighborhood.b, getEventListByIds, { event_id_list: ['e1'] })).body.data).toEqual({
      event_list: [],
    })
  })
})

describe('an unusual event', () => {
  test('CALL-43 OPEN-69 is of a kind not seen by its camera at that time of day for two weeks', async () => {
    await neighborhood.a.bridge.register('yard_a')
    const timeAt = (days: number, hours = 0) => EVENT_TIME - DAY_MS - days * DAY_MS + hours * HOUR_MS
    const daily = Array.from({ length: 13 }, (_, n) =>
      createBridgeEvent('yard_a', `cat_${n}`, { event_ts: timeAt(n + 1), tags: ['4', '103'] }),
    )
    await neighborhood.a.bridge.send('POST', '/bridge/v1/history', { device_id: 'yard_a', events: daily })
    const post = (id: string, event_ts: number, tags: string[]) =>
      neighborhood.a.bridge.postEvent(createBridgeEvent('yard_a', id, { event_ts, tags }))
    await post('cat_today', timeAt(0, 0.5), ['4', '103'])
    await post('cat_at_night', timeAt(0, 8), ['4', '103'])
    await post('person', timeAt(0, 0.6), ['4', '101'])
    await post('motion', timeAt(0, 8.1), ['4'])
    await post('early', timeAt(13, 5), ['4', '101'])
    const event_ids = ['cat_today', 'cat_at_night', 'person', 'motion', 'early', 'theirs']
    const { body } = await neighborhood.call(neighborhood.a, anomalyBatch, { event_ids })
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
    const foreign = await neighborhood.call(neighborhood.b, anomalyBatch, { event_ids })
    expect(foreign.body.data.anomalies.map((anomaly: { event_id: string }) => anomaly.event_id)).toEqual(['theirs'])
  })
})

describe('event feedback', () => {
  test('CALL-44 is stored, and can be changed and withdrawn; for another account’s event it returns 404', async () => {
    const sendFeedback = async (household: Household, feedback: string, event_id = 'e1') =>
      (await neighborhood.call(household, eventFeedback, { feedback }, { event_id })).status
    expect(await sendFeedback(neighborhood.a, 'wrong')).toBe(200)
    expect(await sendFeedback(neighborhood.a, 'right')).toBe(200)
    expect(await sendFeedback(neighborhood.a, 'none')).toBe(200)
    expect(
      await Promise.all([
        sendFeedback(neighborhood.b, 'wrong'),
        sendFeedback(neighborhood.a, 'wrong', 'nothing'),
        sendFeedback(neighborhood.a, 'great'),
      ]),
    ).toEqual([404, 404, 400])
    expect(await sendFeedback(neighborhood.a, 'wrong', 'a%20b')).toBe(400)
  })

  const buildReport = (change: Record<string, unknown> = {}, data: Record<string, unknown> = {}) => ({
    event_begin_ts: EVENT_TIME,
    event_end_ts: EVENT_TIME + 9000,
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
  const sendReport = (household: Household, input: Record<string, unknown>, eventId = 'filmed', deviceMac = 'door_a') =>
    neighborhood.call(household, feedbackVideo, input, { deviceMac, eventId })

  test('CALL-45 FEEDBACK-08 submits and withdraws a video, from the web only', async () => {
    expect((await sendReport(neighborhood.a, buildReport())).body).toEqual({ code: 200, data: { stage: 'submit' } })
    expect((await sendReport(neighborhood.a, buildReport({ stage: 'withdraw' }))).body.data).toEqual({
      stage: 'withdraw',
    })
    const invalidReports = [
      buildReport({}, { collect_channel: 'app' }),
      buildReport({}, { service: 2 }),
      buildReport({}, { extra_info: { app_version: '1', user_agent: 'x'.repeat(351) } }),
      buildReport({}, { device_info: { device_id: 'other', product_model: 'PL-1' } }),
      buildReport({ stage: 'keep' }),
      buildReport({ event_end_ts: EVENT_TIME - 1 }),
    ]
    for (const input of invalidReports) expect((await sendReport(neighborhood.a, input)).status).toBe(400)
  })

  test('OPEN-76 a video report returns 404 without a clip, and 403 for another owner’s or shared camera', async () => {
    await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'b@example.com', role: 2 })
    const answers = await Promise.all([
      sendReport(neighborhood.a, buildReport(), 'e1'),
      sendReport(neighborhood.a, buildReport(), 'nothing'),
      sendReport(neighborhood.b, buildReport()),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403])
  })
})

describe('a second open page', () => {
  test('is notified of reviewed marks, deletions and restored events for the cameras it sees', async () => {
    const page = await openFeed(neighborhood.a)
    const guest = await openFeed(neighborhood.b)
    await neighborhood.call(neighborhood.a, reviewEvents, { event_ids: ['e1', 'e2'] })
    await neighborhood.call(neighborhood.a, reviewEvents, { event_ids: ['e2'], reviewed: false })
    const marks = [await page.receive((m) => m.type === 'reviewed'), await page.receive((m) => m.type === 'reviewed')]
    expect(marks.map(({ event_ids, reviewed }) => [event_ids, reviewed])).toEqual([
      [['e1', 'e2'], true],
      [['e2'], false],
    ])
    await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['e1'] })
    expect(await page.receive((m) => m.type === 'removed')).toEqual({ type: 'removed', event_ids: ['e1'] })
    await neighborhood.call(neighborhood.a, restoreEvents, { event_ids: ['e1'] })
    expect(await page.receive((m) => m.type === 'event')).toMatchObject({ event: { event_id: 'e1', reviewed: true } })
    /* The guest's page receives only messages about the camera that is shared with the guest. */
    expect(await guest.receive((m) => m.type === 'removed')).toEqual({ type: 'removed', event_ids: ['e1'] })
    await Promise.all([page.close(), guest.close()])
  })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AUTOMATIC_EVENTS, type SentEvent } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { EventSender, FLUSH_INTERVAL_MS, FLUSH_QUEUE_SIZE, UNSENT_MAX } from '../../../src/services/event-sender.ts'
import {
  addUnsentEvent,
  readUnsentEvents,
  removeUnsentEvents,
} from '../../../src/stores/storage/sent-analytics-events.ts'
import { clearBrowserState, ORIGIN } from '../../support/analytics.ts'

const senders: EventSender[] = []
let isOnline = true
beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline)
})
afterEach(() => {
  for (const sender of senders.splice(0)) sender.stop()
  isOnline = true
  vi.restoreAllMocks()
  vi.useRealTimers()
  clearBrowserState()
})

const accept = () => Promise.resolve(Response.json({ code: 200 }))
const fail = () => Promise.reject(new TypeError('Failed to fetch'))

/** Lock of a browser: runs tasks one after another. */
function createLock() {
  let last: Promise<void> = Promise.resolve()
  return (task: () => Promise<void>) => (last = last.then(task))
}

/** Opens a page with its own sender. Pages share the browser's storage, and `lock` if given. */
function openPage(answer: () => Promise<Response> = accept, lock = createLock()) {
  const page = {
    answer,
    sender: null as unknown as EventSender,
    bodies: [] as SentEvent[][],
    inits: [] as RequestInit[],
  }
  page.sender = new EventSender({
    origin: ORIGIN,
    fetch(_, init) {
      page.inits.push(init)
      page.bodies.push((JSON.parse(init.body as string) as { events: SentEvent[] }).events)
      return page.answer()
    },
    canContinue: () => true,
    readUnsent: readUnsentEvents,
    addUnsent: addUnsentEvent,
    removeUnsent: removeUnsentEvents,
    runExclusively: lock,
    sent: () => {},
  })
  senders.push(page.sender)
  return page
}

const createEvent = (
  insert_id: string,
  event_type: string = ANALYTICS_EVENTS.bought,
  plan = 'unlimited',
): SentEvent => ({
  event_type,
  insert_id,
  time: 1,
  session_id: 1,
  device_id: 'd1',
  app_version: 'abcdef0',
  event_properties: { plan },
})
const listIds = (...bodies: SentEvent[][]) => bodies.flat().map(({ insert_id }) => insert_id)
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('batches', () => {
  test('ANALYTICS-08 leave after ten seconds, or when fifty events wait', async () => {
    const { sender, bodies } = openPage()
    sender.add(createEvent('a'))
    await wait(FLUSH_INTERVAL_MS - 1)
    expect(bodies).toEqual([])
    await wait(1)
    expect(bodies.map((events) => listIds(events))).toEqual([['a']])
    for (let n = 0; n < FLUSH_QUEUE_SIZE; n++) sender.add(createEvent(`b${n}`))
    await wait(0)
    expect(bodies[1]).toHaveLength(FLUSH_QUEUE_SIZE)
    await wait(60_000)
    expect([bodies.length, readUnsentEvents()]).toEqual([2, []])
  })

  test('do not become single events while fifty events are on their way', async () => {
    let respond = (_: Response): void => {}
    const { sender, bodies } = openPage(() => new Promise((resolve) => (respond = resolve)))
    for (let n = 0; n < FLUSH_QUEUE_SIZE; n++) sender.add(createEvent(`${n}`))
    await wait(0)
    for (let n = 0; n < 5; n++) sender.add(createEvent(`later${n}`))
    await wait(0)
    expect(bodies.map((events) => events.length)).toEqual([FLUSH_QUEUE_SIZE])
    respond(Response.json({ code: 200 }))
    await wait(0)
    expect(bodies.map((events) => events.length)).toEqual([FLUSH_QUEUE_SIZE, 5])
  })

  test('stay below the size that browsers allow for requests of a closing page', async () => {
    const { sender, inits, bodies } = openPage()
    for (let n = 0; n < 500; n++) addUnsentEvent(createEvent(`${n}`, undefined, 'x'.repeat(400)))
    await sender.flush()
    for (const { body, keepalive } of inits)
      expect([(body as string).length < 64 * 1024, keepalive]).toEqual([true, true])
    expect(new Set(listIds(...bodies)).size).toBe(500)
    expect(listIds(...bodies)).toHaveLength(500)
  })

  test.each([400, 401, 403, 413])('that the sink rejects with %d are not sent again', async (status) => {
    const { sender, bodies } = openPage(() => Promise.resolve(Response.json({ code: status }, { status })))
    sender.add(createEvent('a'))
    await wait(120_000)
    expect([bodies.length, readUnsentEvents()]).toEqual([1, []])
  })
})

describe('a failing sink', () => {
  test.each([
    ['no connection', fail],
    ['status 429', () => Promise.resolve(Response.json({ code: 429 }, { status: 429 }))],
    ['status 503', () => Promise.resolve(new Response('x', { status: 503 }))],
  ])('with %s gets the events once when it recovers', async (_, answer) => {
    const page = openPage(answer)
    page.sender.add(createEvent('a'))
    await wait(FLUSH_INTERVAL_MS + 500 + 750)
    expect(page.bodies).toHaveLength(3)
    page.answer = accept
    page.sender.add(createEvent('b'))
    await wait(60_000)
    expect(listIds(...page.bodies.slice(3))).toEqual(['a', 'b'])
    expect(readUnsentEvents()).toEqual([])
  })

  test('gets eight retries, and the next page sends the events', async () => {
    const page = openPage(fail)
    page.sender.add(createEvent('a'))
    await wait(600_000)
    expect(page.bodies).toHaveLength(9)
    page.sender.stop()
    const next = openPage()
    next.sender.add(createEvent('b'))
    await wait(FLUSH_INTERVAL_MS)
    expect(listIds(...next.bodies)).toEqual(['a', 'b'])
  })

  test.each([
    ['HTML', () => Promise.resolve(new Response('<h1>Sign in to the hotel network</h1>'))],
    ['other JSON', () => Promise.resolve(Response.json({ code: '200' }))],
  ])('OPEN-104 that responds 200 with %s gets no retry, but loses no event', async (_, answer) => {
    const page = openPage(answer)
    page.sender.add(createEvent('a'))
    await wait(600_000)
    expect(page.bodies).toHaveLength(1)
    page.answer = accept
    page.sender.add(createEvent('b'))
    await wait(FLUSH_INTERVAL_MS)
    expect(listIds(...page.bodies.slice(1))).toEqual(['a', 'b'])
  })

  test('that recovers after the last retry gets all events with the next one of the same page', async () => {
    const page = openPage(fail)
    page.sender.add(createEvent('a'))
    await wait(600_000)
    page.answer = accept
    page.sender.add(createEvent('b'))
    await wait(FLUSH_INTERVAL_MS)
    expect(listIds(...page.bodies.slice(9))).toEqual(['a', 'b'])
    expect(readUnsentEvents()).toEqual([])
  })

  test('EXPERIMENT-09 OPEN-152 leaves the newest 512 exposures waiting, and other events apart', async () => {
    const { sender } = openPage(fail)
    sender.add(createEvent('bought'))
    for (let n = 0; n < UNSENT_MAX + 3; n++) sender.add(createEvent(`e${n}`, AUTOMATIC_EVENTS.exposure))
    await wait(0)
    const ids = listIds([...readUnsentEvents()])
    expect(UNSENT_MAX).toBe(512)
    expect([ids.length, ids[0], ids[1], ids.at(-1)]).toEqual([513, 'bought', 'e3', 'e514'])
  })
})

describe('a browser without a connection', () => {
  test('sends nothing, and sends each event once after the connection returns', async () => {
    isOnline = false
    const { sender, bodies } = openPage()
    for (const id of ['a', 'b']) sender.add(createEvent(id))
    await wait(60_000)
    sender.sendOwn()
    expect(bodies).toEqual([])
    isOnline = true
    sender.resume()
    await wait(60_000)
    expect(bodies.map((events) => listIds(events))).toEqual([['a', 'b']])
  })
})

describe('the end of a page', () => {
  test('sends an event immediately that is recorded while the page is hidden', () => {
    const { sender, bodies } = openPage()
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    sender.add(createEvent('a'))
    expect(listIds(...bodies)).toEqual(['a'])
  })

  test('sends its events immediately, and a page that continues does not send them again', async () => {
    const { sender, bodies } = openPage()
    sender.add(createEvent('a'))
    sender.sendOwn()
    expect(bodies.map((events) => listIds(events))).toEqual([['a']])
    sender.sendOwn()
    sender.add(createEvent('b'))
    await wait(60_000)
    expect(listIds(...bodies)).toEqual(['a', 'b'])
  })

  test('loses no event if its last request gets no response', async () => {
    const page = openPage(() => new Promise(() => {}))
    page.sender.add(createEvent('a'))
    page.sender.sendOwn()
    page.sender.stop()
    const next = openPage()
    next.sender.add(createEvent('b'))
    await wait(FLUSH_INTERVAL_MS)
    // The sink ignores the repeated event, because the id is the same.
    expect(listIds(...next.bodies)).toEqual(['a', 'b'])
  })

  test('does not send events of other tabs, which send these themselves', () => {
    const [page, other] = [openPage(), openPage()]
    page.sender.add(createEvent('a'))
    other.sender.add(createEvent('b'))
    page.sender.sendOwn()
    expect(listIds(...page.bodies)).toEqual(['a'])
  })
})

test('two tabs send each event once', async () => {
  const lock = createLock()
  const pages = [openPage(accept, lock), openPage(accept, lock)]
  for (const [n, { sender }] of pages.entries()) sender.add(createEvent(`${n}`))
  await wait(60_000)
  expect(listIds(...pages.flatMap(({ bodies }) => bodies)).toSorted()).toEqual(['0', '1'])
})

test('two tabs that record in the same moment both keep their event, and a later page sends both', async () => {
  const [page, other] = [openPage(fail), openPage(fail)]
  const readItem = Storage.prototype.getItem
  let isOtherRecording = false
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(function (this: Storage, key) {
    const value = readItem.call(this, key)
    if (!isOtherRecording) {
      isOtherRecording = true
      other.sender.add(createEvent('b'))
    }
    return value
  })
  page.sender.add(createEvent('a'))
  for (const { sender } of [page, other]) sender.stop()
  const next = openPage()
  await next.sender.flush()
  expect(listIds(...next.bodies).toSorted()).toEqual(['a', 'b'])
})

test('a tab that removes accepted events keeps the event that another tab records in the same moment', async () => {
  const [page, other] = [openPage(), openPage(fail)]
  page.sender.add(createEvent('a'))
  const removeItem = Storage.prototype.removeItem
  vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(function (this: Storage, key) {
    if (key.endsWith('_a')) other.sender.add(createEvent('b'))
    removeItem.call(this, key)
  })
  await page.sender.flush()
  expect(listIds(...page.bodies)).toEqual(['a', 'b'])
})

test('events that an earlier version queued are sent once', async () => {
  localStorage.setItem('AMP_unsent_web-portal', JSON.stringify([createEvent('a'), createEvent('b')]))
  const { sender, bodies } = openPage()
  sender.add(createEvent('c'))
  await sender.flush()
  await wait(60_000)
  expect(listIds(...bodies).toSorted()).toEqual(['a', 'b', 'c'])
  expect({ ...localStorage }).toEqual({})
})

import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { getNotifications } from '../../contract/account/notifications.ts'
import { userResponse } from '../../contract/auth/user-calls.ts'
import { getSubscriptions } from '../../contract/billing/subscriptions.ts'
import { getHomeDevices, getHomes } from '../../contract/cameras/devices.ts'
import { feedTicket } from '../../contract/events/feed-and-review-calls.ts'
import { eventHistory, getEventList } from '../../contract/events/events.ts'
import { timeline } from '../../contract/events/timeline.ts'
import { getStreams } from '../../contract/live/live-calls.ts'
import { onboardingRegister, search } from '../../contract/search/search-calls.ts'
import { DAY_MS } from '../../contract/time-units.ts'
import { formatGatewayPath, type Call } from '../../contract/wire/call.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST, SEARCH_LIMIT } from '../../contract/wire/constants.ts'
import { completeSignInPage, startSignIn } from '../support/sign-in-walk.ts'
import { VisitorWithAddress } from '../support/visitor.ts'
import type { BenchHome } from './homes-data.ts'

/** Time between two visits of a session: uniform between these bounds, ms. */
const PAUSE_MS = { min: 10_000, max: 30_000 } as const
const QUERIES = ['courier with a parcel', 'person at the door', 'white car', 'dog yesterday', 'cat at night']

type CallRequest = readonly [call: Call, input?: object]

/** Calls of one page visit. A page sends them in parallel. */
type Visit = (session: BenchSession) => readonly CallRequest[]

const eventRange = (days: number) => ({ begin_time: Date.now() - days * DAY_MS, end_time: Date.now() })
const listEvents = (call: Call, days: number): CallRequest => [
  call,
  {
    ...eventRange(days),
    count: EVENT_QUERY_COUNT,
    device_id_list: [],
    event_tag_list: [],
    event_value_list: [],
    order_by: ORDER_NEWEST_FIRST,
  },
]
const PAGE_CALLS: readonly CallRequest[] = [
  [getHomes],
  [getHomeDevices, { device_category: 'camera', env: 'prod' }],
  [getSubscriptions],
  [getNotifications],
  [feedTicket],
]

/** Visits of today's events, two weeks with the timeline, the live view, and a search. All are equally likely. */
const VISITS: readonly Visit[] = [
  () => [...PAGE_CALLS, listEvents(eventHistory, 1)],
  ({ home }) => [
    ...PAGE_CALLS,
    listEvents(eventHistory, 14),
    [timeline, { ...eventRange(1), device_ids: home.cameras }],
  ],
  ({ home }) => [...PAGE_CALLS, [getStreams, { device_list: home.cameras.map((device_id) => ({ device_id })) }]],
  () => [buildSearch(), listEvents(getEventList, 1)],
]

const pickRandom = <T>(values: readonly T[]): T => {
  const value = values[Math.floor(Math.random() * values.length)]
  if (value === undefined) throw new Error('The list is empty.')
  return value
}

const buildSearch = (): CallRequest => [
  search,
  {
    device_macs_to_include: [],
    event_tags_to_include: [],
    limit: SEARCH_LIMIT,
    query: pickRandom(QUERIES),
    start_ts: Date.now() - 14 * DAY_MS,
    end_ts: Date.now(),
  },
]

/** Durations of successful calls, ms, and the failures by call and status. */
export interface VisitResults {
  readonly durationsMs: number[]
  readonly failures: Map<string, number>
}

/** A signed-in browser session that visits pages until it is stopped. */
export class BenchSession {
  readonly home: BenchHome
  readonly #visitor: VisitorWithAddress
  #userId = ''

  constructor(portalOrigin: string, home: BenchHome) {
    this.home = home
    this.#visitor = new VisitorWithAddress(portalOrigin)
  }

  async signIn(): Promise<void> {
    const { email, password } = this.home
    const authorizeUrl = await startSignIn(this.#visitor, '/live')
    await this.#visitor.navigate(await completeSignInPage(this.#visitor, authorizeUrl, email, password))
    const answer = await this.#visitor.get('/api/auth/me')
    this.#userId = v.parse(userResponse, await answer.json()).user_id
    await this.#send([onboardingRegister])
  }

  /** Visits pages until `endsAt` (`performance.now()`). The first visit follows after a part of a pause. */
  async visitPages(endsAt: number, results: VisitResults): Promise<void> {
    await sleep(Math.random() * PAUSE_MS.max)
    while (performance.now() < endsAt) {
      await Promise.all(pickRandom(VISITS)(this).map((request) => this.#measure(request, results)))
      await sleep(PAUSE_MS.min + Math.random() * (PAUSE_MS.max - PAUSE_MS.min))
    }
  }

  async #measure(request: CallRequest, { durationsMs, failures }: VisitResults): Promise<void> {
    const startedAt = performance.now()
    const status = await this.#send(request).catch((error: unknown) => String(error))
    if (status === 200) durationsMs.push(performance.now() - startedAt)
    else {
      const label = `${request[0].path}: ${status}`
      failures.set(label, (failures.get(label) ?? 0) + 1)
    }
  }

  async #send([call, input = {}]: CallRequest): Promise<number> {
    const path = formatGatewayPath(call, { uuid: this.#userId })
    const query = new URLSearchParams(input as Record<string, string>).toString()
    const answer = await (call.method === 'GET'
      ? this.#visitor.get(query === '' ? path : `${path}?${query}`)
      : this.#visitor.post(path, input))
    await answer.arrayBuffer()
    return answer.status
  }
}

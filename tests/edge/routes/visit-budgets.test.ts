import { afterAll, beforeAll, expect, test } from 'vitest'
import { getNotifications } from '../../../contract/account/notifications.ts'
import { getHomeDevices, getHomes } from '../../../contract/cameras/devices.ts'
import { eventHistory } from '../../../contract/events/events.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import { formatGatewayPath, type Call } from '../../../contract/wire/call.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../../contract/wire/constants.ts'
import { readWorkUntilIdle } from '../../support/billed-work/billed-work.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import type { RunningWorker } from '../../support/harness.ts'
import type { Visitor } from '../../support/visitor.ts'

let edge: EdgeDeployment
let visitor: Visitor
let portal: RunningWorker

beforeAll(async () => {
  edge = await openEdge({}, true, true)
  if (!edge.deployment.portal) throw new Error('The portal is not running.')
  portal = edge.deployment.portal
  visitor = edge.visitor()
  await signInThroughEdge(visitor)
})
afterAll(() => edge.close())

const now = Date.now()
/** Calls of one visit of /events. */
const VISIT: readonly (readonly [call: Call, input?: object])[] = [
  [getHomes],
  [getHomeDevices, { device_category: 'camera', env: 'prod' }],
  [
    eventHistory,
    {
      begin_time: now - DAY_MS,
      end_time: now,
      count: EVENT_QUERY_COUNT,
      device_id_list: [],
      event_tag_list: [],
      event_value_list: [],
      order_by: ORDER_NEWEST_FIRST,
    },
  ],
  [getNotifications],
  [feedTicket],
]

test('a visit with a valid access token makes one provider request per call and no token call', async () => {
  await readWorkUntilIdle(portal)
  edge.proxy.clearFaults()
  const answers = await Promise.all(
    VISIT.map(([call, input]) =>
      call.method === 'GET' ? visitor.get(formatGatewayPath(call)) : visitor.post(formatGatewayPath(call), input),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(VISIT.map(() => 200))
  expect(edge.proxy.requests).toHaveLength(VISIT.length)
  expect(edge.proxy.count('/oauth/')).toBe(0)
  const work = await readWorkUntilIdle(portal)
  expect(work.rowsWritten).toBe(0)
  expect(work.objectRequests).toBe(VISIT.length)
})

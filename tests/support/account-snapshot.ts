import type { InferOutput } from 'valibot'
import { getNotifications } from '../../contract/account/notifications.ts'
import { getBillingInfo } from '../../contract/billing/payment-methods-and-invoices.ts'
import { getSubscriptions } from '../../contract/billing/subscriptions.ts'
import { getHomeDevices, getHomes } from '../../contract/cameras/devices.ts'
import { getEventList } from '../../contract/events/events.ts'
import { formatGatewayPath, type Call } from '../../contract/wire/call.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../contract/wire/constants.ts'
import type { Visitor } from './visitor.ts'

/** Account data that every later version of the portal must still show. */
export interface AccountSnapshot {
  /** Id and name of each camera. */
  readonly cameras: readonly string[]
  /** Time (ms UTC), id and title of each event from `begin` to `end` of `readAccountSnapshot`, newest first. */
  readonly events: readonly string[]
  readonly plans: readonly string[]
  /** Number, total in cents and kind of each invoice. */
  readonly invoices: readonly string[]
  readonly notifications: readonly string[]
}

type ResponseData<C extends Call> = InferOutput<NonNullable<C['response']>> extends { data: infer Data } ? Data : never

/** Reads the account of a signed-in visitor and its events from `begin` to `end`, ms UTC. Rejects if a call fails. */
export async function readAccountSnapshot(visitor: Visitor, begin: number, end: number): Promise<AccountSnapshot> {
  const send = async <C extends Call>(call: C, body: unknown = {}, params: Record<string, string> = {}) => {
    const path = formatGatewayPath(call, params)
    const response = await (call.method === 'GET' ? visitor.get(path) : visitor.post(path, body))
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${text.slice(0, 300)}`)
    return (JSON.parse(text) as { data: ResponseData<C> }).data
  }
  const { user_id } = (await (await visitor.get('/api/auth/me')).json()) as { user_id: string }
  const homes = await send(getHomes)
  const lists = await Promise.all(
    homes.map(({ home_id }) => send(getHomeDevices, { device_category: 'camera', env: 'beta', home_id })),
  )
  const { event_list } = await send(getEventList, {
    begin_time: begin,
    end_time: end,
    count: EVENT_QUERY_COUNT,
    order_by: ORDER_NEWEST_FIRST,
    device_id_list: [],
    event_tag_list: [],
    event_value_list: [],
  })
  const { subscriptions } = await send(getSubscriptions, {}, { uuid: user_id })
  const billing = await send(getBillingInfo, { kind: 'invoices' }, { billing_provider: 'recurring' })
  const { messages } = await send(getNotifications)
  return {
    cameras: lists.flatMap(({ device_list }) => device_list.map((camera) => `${camera.device_id} ${camera.nickname}`)),
    events: event_list.map(({ event_ts, event_id, title }) => `${event_ts} ${event_id} ${title}`),
    plans: subscriptions.map(({ subscription_id, sku }) => `${subscription_id} ${sku}`),
    invoices:
      billing.kind === 'invoices' ? billing.invoices.map(({ bill, total, kind }) => `${bill} ${total} ${kind}`) : [],
    notifications: messages.map(({ message_id }) => message_id),
  }
}

import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../../contract/constants.ts'
import { eventHistory } from '../../../contract/events.ts'
import { request } from '../../api/client.ts'
import { putPreload } from '../../stores/session/preload.ts'
import { KEYS, local } from '../../stores/storage/storage.ts'
import '../session/connected.ts'
import { takeEarly } from './early.ts'
import { isMarkedSignedIn } from '../page/page.ts'

/** Starts today's list of /events beside the question who is signed in. */
const QUIETLY = { stay: true } as const

if (isMarkedSignedIn() && !local.read(KEYS.noServices)) startEvents()

function startEvents(): void {
  const begin_time = new Date().setHours(0, 0, 0, 0)
  const end_time = new Date().setHours(23, 59, 59, 999)
  const early = takeEarly('events')
  const input = { begin_time, end_time, count: EVENT_QUERY_COUNT, order_by: ORDER_NEWEST_FIRST } as const
  putPreload(
    'events',
    request(
      eventHistory,
      { ...input, device_id_list: [], event_tag_list: [], event_value_list: [] },
      { ...QUIETLY, ...(early && { early }) },
    ),
  )
}

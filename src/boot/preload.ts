import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../contract/constants.ts'
import { getHomeDevices, getHomes } from '../../contract/devices.ts'
import { eventHistory } from '../../contract/events.ts'
import { getStreams } from '../../contract/live.ts'
import { request } from '../api/client.ts'
import { putPreload } from '../stores/preload.ts'
import { KEYS, local } from '../stores/storage.ts'
import { isMarkedSignedIn } from './page.ts'

const QUIETLY = { silent: true, stay: true } as const
const PRIMARY = 1

/** Starts the first lists of /live and /events beside the question who is signed in (design: The portal). */
export function startPreloads(): void {
  if (!isMarkedSignedIn()) return
  if (location.pathname === '/live') startLive()
  if (location.pathname === '/events' && !local.read(KEYS.noServices)) startEvents()
}

function startLive(): void {
  const homes = request(getHomes, {}, QUIETLY)
  const known = local.read(KEYS.homeId)
  const devices = known
    ? listDevices(known)
    : homes.then((answer) =>
        listDevices(answer.ok ? answer.data.find(({ role }) => role === PRIMARY)?.home_id : undefined),
      )
  putPreload('homes', homes)
  putPreload('devices', devices)
  const remembered = rememberedCameras()
  putPreload(
    'streams',
    remembered.length > 0
      ? listStreams(remembered)
      : devices.then((answer) => (answer.ok ? listStreams(answer.data.device_list) : answer)),
  )
}

/** The cameras of the last visit: if one of them is gone the answer is a 404, and the store asks again for the new list. */
function rememberedCameras(): readonly { device_id: string }[] {
  try {
    const list = JSON.parse(local.read(KEYS.userCameras) ?? '[]') as unknown
    return Array.isArray(list)
      ? list.filter((item: { device_id?: unknown } | null) => typeof item?.device_id === 'string')
      : []
  } catch {
    return []
  }
}

function listDevices(homeId: string | undefined) {
  return request(
    getHomeDevices,
    { device_category: 'camera', env: 'beta', ...(homeId && { home_id: homeId }) },
    QUIETLY,
  )
}

function listStreams(devices: readonly { device_id: string }[]) {
  return request(getStreams, { device_list: devices.map(({ device_id }) => ({ device_id })) }, QUIETLY)
}

function startEvents(): void {
  const begin_time = new Date().setHours(0, 0, 0, 0)
  const end_time = new Date().setHours(23, 59, 59, 999)
  const input = { begin_time, end_time, count: EVENT_QUERY_COUNT, order_by: ORDER_NEWEST_FIRST } as const
  putPreload(
    'events',
    request(eventHistory, { ...input, device_id_list: [], event_tag_list: [], event_value_list: [] }, QUIETLY),
  )
}

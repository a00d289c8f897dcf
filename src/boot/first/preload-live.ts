import { getHomeDevices, getHomes } from '../../../contract/devices.ts'
import { getStreams } from '../../../contract/live.ts'
import { request, type RequestOptions } from '../../api/client.ts'
import { OWNER } from '../../../contract/roles.ts'
import { environmentName } from '../../stores/home/devices.ts'
import { openLive } from '../../stores/live/live-page.ts'
import { putPreload } from '../../stores/session/preload.ts'
import { KEYS, local } from '../../stores/storage/storage.ts'
import '../session/connected.ts'
import { takeEarly } from './early.ts'
import { followEarlyTiles } from './early-tiles.ts'
import { isMarkedSignedIn } from '../page/page.ts'

/**
 * Starts the lists of /live beside the question who is signed in, and the pictures once that is answered: cameras connect
 * while React is still on its way.
 */
if (isMarkedSignedIn()) startLive()
addEventListener('porchlight:session', openLive, { once: true })
followEarlyTiles()

function startLive(): void {
  const homes = request(getHomes, {}, quietly(takeEarly('homes')))
  // What is remembered may be another person's until the session that kept it is known to go on (user-callback.ts).
  const isSameSession = local.read(KEYS.webAppToken) !== null
  const known = isSameSession && local.read(KEYS.homeId)
  const early = takeEarly('devices')
  const devices = known
    ? listDevices(known, early)
    : homes.then((answer) =>
        listDevices(answer.ok ? answer.data.find(({ role }) => role === OWNER)?.home_id : undefined, early),
      )
  putPreload('homes', homes)
  putPreload('devices', devices)
  const remembered = isSameSession ? rememberedCameras() : []
  putPreload(
    'streams',
    remembered.length > 0
      ? listStreams(remembered, takeEarly('streams'))
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

function listDevices(homeId: string | undefined, early: Promise<Response> | undefined) {
  return request(
    getHomeDevices,
    { device_category: 'camera', env: environmentName(), ...(homeId && { home_id: homeId }) },
    quietly(early),
  )
}

function listStreams(devices: readonly { device_id: string }[], early?: Promise<Response>) {
  const device_list = devices.map(({ device_id }) => ({ device_id }))
  return request(getStreams, { device_list }, quietly(early))
}

function quietly(early: Promise<Response> | undefined): RequestOptions {
  return { stay: true, ...(early && { early }) }
}

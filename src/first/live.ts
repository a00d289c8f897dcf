import type { RequestOf } from '../../contract/call.ts'
import { getHomeDevices, getHomes } from '../../contract/devices.ts'
import { getStreams } from '../../contract/live.ts'
import { RELAY_PARAMETER, RELAY_TYPE } from '../../contract/relay.ts'
import { OWNER } from '../../contract/roles.ts'
import type { EarlySocket } from './asked.ts'
import type { AnyQuestion, Question } from './question.ts'

interface Place {
  readonly environment: string
  /** '': no home of one's own, which lists shared cameras (OPEN-55). */
  readonly homeId: string
}

/** The cameras of a home. */
export const devicesInput = ({ environment, homeId }: Place): RequestOf<typeof getHomeDevices> => ({
  device_category: 'camera',
  env: environment,
  ...(homeId && { home_id: homeId }),
})

type Cameras = readonly { readonly device_id: string }[]

/** How to watch cameras. */
export const streamsInput = (cameras: Cameras): RequestOf<typeof getStreams> => ({
  device_list: cameras.map(({ device_id }) => ({ device_id })),
})

type Homes = readonly { readonly role: number; readonly home_id: string }[]

const homes: Question<typeof getHomes, true> = {
  name: 'homes',
  call: getHomes,
  fixed: {},
  about: () => true,
  input: () => ({}),
}

/** The home of the last visit; where none is remembered every camera that the account sees, asked before the homes are known. */
const devices: Question<typeof getHomeDevices, Place> = {
  name: 'devices',
  call: getHomeDevices,
  fixed: {},
  about: ({ environment, homeId }) => ({ environment, homeId: homeId ?? '' }),
  input: devicesInput,
}

/** The cameras of the primary home, where none is remembered. */
const own: Question<typeof getHomeDevices, Place, { readonly owner: number }, Homes> = {
  name: 'own',
  call: getHomeDevices,
  fixed: { owner: OWNER },
  after: 'homes',
  about: ({ environment, homeId }, { owner }, homes) => {
    const home = homeId ? undefined : homes?.find(({ role }) => role === owner)
    return home ? { environment, homeId: home.home_id } : null
  },
  input: devicesInput,
}

interface Sockets {
  readonly relay: string
  readonly relayType: string
  readonly atOnce: number
  readonly unusedMs: number
}
interface Streams {
  readonly streams: readonly { readonly signalling_url: string }[]
}

/** The cameras of the last visit. The sockets of the first ones open as soon as it is told (media/early-socket.ts). */
const streams: Question<typeof getStreams, Cameras, Sockets, never, Streams> = {
  name: 'streams',
  call: getStreams,
  fixed: {
    relay: `&${RELAY_PARAMETER}=1`,
    relayType: RELAY_TYPE,
    // As many as are shown without scrolling; what nobody has taken over by then is closed.
    atOnce: 6,
    unusedMs: 5000,
  },
  about: ({ cameras }) => (cameras.length > 0 ? cameras : null),
  input: streamsInput,
  answered: ({ streams }, { relay, relayType, atOnce, unusedMs }) => {
    const { ManagedMediaSource, MediaSource } = window as { ManagedMediaSource?: typeof window.MediaSource } & Window &
      typeof globalThis
    if (document.hidden || !(ManagedMediaSource ?? MediaSource)?.isTypeSupported(relayType)) return
    const sockets = (window.earlySockets = new Map<string, EarlySocket>())
    for (const { signalling_url } of streams.slice(0, atOnce)) {
      const socket = new WebSocket(signalling_url + relay)
      const missed: MessageEvent<unknown>[] = []
      socket.binaryType = 'arraybuffer'
      socket.onmessage = (message) => missed.push(message)
      sockets.set(signalling_url + relay, { socket, missed })
    }
    // As media/close-socket.ts does.
    const end = (socket: WebSocket) => (socket.readyState ? socket.close() : (socket.onopen = () => socket.close()))
    setTimeout(() => sockets.forEach(({ socket }) => end(socket)), unusedMs)
  },
}

interface Listed {
  readonly device_list: readonly { readonly device_id: string; readonly device_order: number }[]
}

/** The picture of the first camera is the largest of the first screen: it goes before all scripts that are still to come. */
const withPicture: Question<typeof getHomeDevices, Place, { readonly picture: string }, never, Listed> = {
  ...devices,
  fixed: { picture: '/m/last/' },
  answered: ({ device_list }, { picture }) => {
    const [first] = device_list.toSorted((a, b) => a.device_order - b.device_order)
    if (!first) return
    const image = new Image()
    window.earlyPictures = [image]
    image.fetchPriority = 'high'
    image.src = picture + first.device_id
  },
}

/** Which homes there are, and the cameras of one. */
export const homeQuestions: readonly AnyQuestion[] = [homes, devices, own]
/** What /live asks first. */
export const LIVE: readonly AnyQuestion[] = [homes, withPicture, own, streams]

import type { RequestOf } from '../../../contract/wire/call.ts'
import { getHomeDevices, getHomes } from '../../../contract/cameras/devices.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { RELAY_PARAMETER, RELAY_TYPE } from '../../../contract/live/relay-protocol.ts'
import type { EarlySocket } from '../early-exchange.ts'
import type { AnyQuestion, EarlyRequest } from '../early-request.ts'

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

const homes: EarlyRequest<typeof getHomes, true> = {
  call: getHomes,
  fixed: {},
  about: () => true,
  input: () => ({}),
}

/** The home of the last visit; where none is remembered every camera that the account sees, asked before the homes are known. */
const devices: EarlyRequest<typeof getHomeDevices, Place> = {
  call: getHomeDevices,
  fixed: {},
  about: ({ environment, homeId }) => ({ environment, homeId: homeId ?? '' }),
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

/** The cameras of the last visit. The sockets of the first ones open as soon as it is told (src/early/early-socket.ts). */
const streams: EarlyRequest<typeof getStreams, Cameras, Sockets, Streams> = {
  call: getStreams,
  fixed: {
    relay: `&${RELAY_PARAMETER}=1`,
    relayType: RELAY_TYPE,
    // As many as are shown without scrolling; what nobody has taken over by then is closed.
    atOnce: 9,
    unusedMs: 15_000,
  },
  about: ({ cameras }) => (cameras.length > 0 ? cameras : null),
  input: streamsInput,
  answered: ({ streams }, { relay, relayType, atOnce, unusedMs }) => {
    const { ManagedMediaSource, MediaSource } = window as { ManagedMediaSource?: typeof window.MediaSource } & Window &
      typeof globalThis
    if (document.hidden || !(ManagedMediaSource ?? MediaSource)?.isTypeSupported(relayType)) return
    const sockets = (window.earlySockets = new Map<string, EarlySocket>())
    for (const { signalling_url: url } of streams.slice(0, atOnce)) {
      const socket = new WebSocket(url + relay)
      const missed: MessageEvent<unknown>[] = []
      socket.binaryType = 'arraybuffer'
      socket.onmessage = (message) => missed.push(message)
      sockets.set(url + relay, { socket, missed })
    }
    // As src/media/webrtc/close-socket.ts does.
    const end = (socket: WebSocket) => (socket.readyState ? socket.close() : (socket.onopen = () => socket.close()))
    setTimeout(() => sockets.forEach(({ socket }) => end(socket)), unusedMs)
  },
}

/** The picture of the first camera is the largest of the first screen. */
const withPicture: AnyQuestion = {
  ...devices,
  pictures: ({ device_list: [first] }: { device_list: Cameras }) => (first ? [`/m/last/${first.device_id}`] : []),
}

/** Which homes there are, and the cameras. */
export const homeQuestions: readonly AnyQuestion[] = [homes, devices]
/** What /live asks first. */
export const LIVE: readonly AnyQuestion[] = [homes, withPicture, streams]

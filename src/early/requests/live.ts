import type { RequestOf } from '../../../contract/wire/call.ts'
import { PAGE_CHECKS_PARAMETER } from '../../../contract/wire/constants.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { RELAY_PARAMETER, RELAY_MEDIA_TYPE } from '../../../contract/live/relay-protocol.ts'
import type { EarlySocket } from '../early-exchange.ts'
import type { AnyEarlyRequest, EarlyRequest } from '../early-request.ts'
import { homes } from './devices.ts'
import { LIVE_DEVICES } from './live-tiles.ts'

type Cameras = readonly { readonly device_id: string }[]

export const streamsInput = (cameras: Cameras): RequestOf<typeof getStreams> => ({
  device_list: cameras.map(({ device_id }) => ({ device_id })),
})

interface SocketSettings {
  readonly relay: string
  readonly relayType: string
  readonly atOnce: number
  readonly unusedMs: number
}
interface StreamsResponse {
  readonly streams: readonly { readonly signalling_url: string }[]
}

/**
 * Early request for the streams of the last visit's cameras. Opens the first sockets when the response arrives
 * (src/early/early-socket.ts).
 */
const streams: EarlyRequest<typeof getStreams, Cameras, SocketSettings, StreamsResponse> = {
  call: getStreams,
  fixed: {
    relay: `&${PAGE_CHECKS_PARAMETER}=1&${RELAY_PARAMETER}=1`,
    relayType: RELAY_MEDIA_TYPE,
    // `atOnce`: maximum number of sockets, equal to the number of tiles visible without scrolling. After `unusedMs`,
    // sockets that no player has taken over are closed.
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
      const bufferedMessages: MessageEvent<unknown>[] = []
      socket.binaryType = 'arraybuffer'
      socket.onmessage = (message) => bufferedMessages.push(message)
      sockets.set(url + relay, { socket, bufferedMessages: bufferedMessages })
    }
    // Closes a connecting socket only after it opens, like src/media/webrtc/webrtc-session.ts.
    const closeSocket = (socket: WebSocket) =>
      socket.readyState ? socket.close() : (socket.onopen = () => socket.close())
    setTimeout(() => sockets.forEach(({ socket }) => closeSocket(socket)), unusedMs)
  },
}

/**
 * The streams come first, because the sockets open while the tiles are drawn. The first tiles wait for the list of
 * cameras.
 */
export const LIVE_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [streams, LIVE_DEVICES, homes]

import { getStreams } from '../../../contract/live.ts'
import { RELAY_PARAMETER, RELAY_TYPE } from '../../../contract/relay.ts'
import { KEYS } from '../../stores/storage/storage.ts'

interface Facts {
  readonly url: string
  readonly camerasKey: string
  readonly relay: string
  readonly relayType: string
}

/**
 * Runs inside the document of /live, so it uses nothing from outside: asks how to watch the cameras of the last visit, and
 * opens the sockets of the first ones as soon as it is told (src/media/early-socket.ts takes them over).
 */
function ask({ url, camerasKey, relay, relayType }: Facts): void {
  // As many as are shown without scrolling; what nobody has taken over by then is closed.
  const atOnce = 6
  const unusedMs = 5000
  const { early } = window
  try {
    const device_list = (JSON.parse(localStorage[camerasKey]) as { device_id: string }[]).map(({ device_id }) => ({
      device_id,
    }))
    if (!early?.ask || !early.token || !device_list.length) return
    early.streams = early.ask(url, { device_list }).then(async (answer) => {
      // Whoever waits for the answer finds the sockets open: no ticket is spent twice.
      if (answer.ok)
        await answer
          .clone()
          .json()
          .then(open)
          .catch(() => {})
      return answer
    })
    early.streams.catch(() => {})
  } catch {
    // Nothing remembered: the page asks once it knows its cameras.
  }
  function open({ data }: { data?: { streams?: { signalling_url: string }[] } }) {
    const { ManagedMediaSource, MediaSource } = window as { ManagedMediaSource?: typeof window.MediaSource } & Window &
      typeof globalThis
    if (document.hidden || !data?.streams || !(ManagedMediaSource ?? MediaSource)?.isTypeSupported(relayType)) return
    const sockets = (window.earlySockets = new Map())
    for (const { signalling_url } of data.streams.slice(0, atOnce)) {
      const address = signalling_url + relay
      const socket = new WebSocket(address)
      const missed: MessageEvent[] = []
      socket.binaryType = 'arraybuffer'
      socket.onmessage = (message) => missed.push(message)
      sockets.set(address, { socket, missed })
    }
    setTimeout(() => sockets.forEach(({ socket }) => socket.close()), unusedMs)
  }
}

/** The text of an inline script that starts the streams call, and then the pictures, beside the question who is signed in. */
export const EARLY_STREAMS = `(${ask.toString()})(${JSON.stringify({
  url: `/api/p/${getStreams.group}${getStreams.path}`,
  camerasKey: KEYS.userCameras,
  relay: `&${RELAY_PARAMETER}=1`,
  relayType: RELAY_TYPE,
} satisfies Facts)})`

import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { RELAY_BESIDE, type RelayBeside } from '../../contract/live/relay-protocol.ts'

/** What is kept with a viewer's socket while the camera's object sleeps. */
export interface Viewer {
  readonly viewer: string
  readonly user: string
  readonly device: string
  readonly bridge: string
  /** Whether the account belongs to the home, so that it may know addresses there; left out: it does not. */
  readonly lan?: boolean
  /** Whether it wants pictures over this socket. */
  readonly relay: boolean
  /** Names of what the camera has. */
  readonly renditions: readonly string[]
  /** In which rendition it wants them; '': the lowest. */
  readonly rendition: string
  /** What it wants beside the main picture; left out: nothing. */
  readonly beside?: readonly RelayBeside[]
}

export const readViewer = (socket: WorkerSocket) => socket.deserializeAttachment() as Viewer

/** Changes what is kept with a viewer's socket. */
export function updateViewer(socket: WorkerSocket, change: Partial<Viewer>): void {
  socket.serializeAttachment({ ...readViewer(socket), ...change } satisfies Viewer)
}

/** Names of all that a viewer wants from the relay. */
export function listRequestedStreams(socket: WorkerSocket): readonly string[] {
  const { relay, rendition, beside = [] } = readViewer(socket)
  return relay ? [rendition, ...beside] : []
}

/** Whether the viewer may ask for this: the lowest, or one that the camera has. It may not have the name of something else. */
export const canRequestStream = (viewer: Viewer, name: string): boolean =>
  name === '' || (viewer.renditions.includes(name) && !Object.hasOwn(RELAY_BESIDE, name))

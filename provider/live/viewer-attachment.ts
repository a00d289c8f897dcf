import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { RELAY_BESIDE, type ExtraTrackName } from '../../contract/live/relay-protocol.ts'

/** Attachment of a viewer's socket that survives hibernation. */
export interface ViewerAttachment {
  readonly viewer: string
  readonly user: string
  readonly device: string
  readonly bridge: string
  /** True if the account is a member of the home, so that it may learn LAN addresses; absent means false. */
  readonly lan?: boolean
  /** True if the viewer wants to receive video over this socket. */
  readonly relay: boolean
  readonly renditions: readonly string[]
  /** Requested rendition; '' is the lowest. */
  readonly rendition: string
  /** Requested extra tracks; absent means none. */
  readonly beside?: readonly ExtraTrackName[]
}

export const readViewer = (socket: WorkerSocket) => socket.deserializeAttachment() as ViewerAttachment

export function updateViewer(socket: WorkerSocket, change: Partial<ViewerAttachment>): void {
  socket.serializeAttachment({ ...readViewer(socket), ...change } satisfies ViewerAttachment)
}

export function listRequestedStreams(socket: WorkerSocket): readonly string[] {
  const { relay, rendition, beside = [] } = readViewer(socket)
  return relay ? [rendition, ...beside] : []
}

/**
 * Returns true if the viewer may request this stream: the lowest rendition, or a rendition of the camera whose name is
 * not that of an extra track.
 */
export const canRequestStream = (viewer: ViewerAttachment, name: string): boolean =>
  name === '' || (viewer.renditions.includes(name) && !Object.hasOwn(RELAY_BESIDE, name))

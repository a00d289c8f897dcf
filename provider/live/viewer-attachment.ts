import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { RELAY_BESIDE, type ExtraTrackName } from '../../contract/live/relay-protocol.ts'

/** Attachment of a viewer socket. It survives hibernation. */
export interface ViewerAttachment {
  readonly viewer: string
  readonly user: string
  readonly device: string
  readonly bridge: string
  /** True if the account is a member of the home, and thus may learn LAN addresses. Absent means false. */
  readonly lan?: boolean
  /** True if the viewer wants to receive video over this socket. */
  readonly relay: boolean
  readonly renditions: readonly string[]
  /** Requested rendition; '' is the lowest. */
  readonly rendition: string
  /** Requested extra tracks; absent means none. */
  readonly beside?: readonly ExtraTrackName[]
}

export const readViewerAttachment = (socket: WorkerSocket) => socket.deserializeAttachment() as ViewerAttachment

export function updateViewerAttachment(socket: WorkerSocket, change: Partial<ViewerAttachment>): void {
  socket.serializeAttachment({ ...readViewerAttachment(socket), ...change } satisfies ViewerAttachment)
}

export function listRequestedStreams(socket: WorkerSocket): readonly string[] {
  const { relay, rendition, beside = [] } = readViewerAttachment(socket)
  return relay ? [rendition, ...beside] : []
}

/**
 * Returns true if the viewer may request this stream: the lowest rendition, or a rendition of the camera whose name is
 * not that of an extra track.
 */
export const canRequestStream = (viewer: ViewerAttachment, name: string): boolean =>
  name === '' || (viewer.renditions.includes(name) && !Object.hasOwn(RELAY_BESIDE, name))

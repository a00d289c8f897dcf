import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { EXTRA_TRACK_OFFSETS, type ExtraTrackName } from '../../contract/live/relay-protocol.ts'

/** Data attached to a viewer socket. It survives hibernation. */
export interface ViewerAttachment {
  readonly viewer: string
  readonly user: string
  readonly device: string
  readonly bridge: string
  /** True if the account is a member of the home, so the viewer may get LAN addresses. Absent means false. */
  readonly lan?: boolean
  /** True if the viewer's page requests the checks of the bridge on its feed. */
  readonly sendsChecks: boolean
  /** True if the viewer gets video over this socket instead of WebRTC. */
  readonly relay: boolean
  readonly renditions: readonly string[]
  /** Name of the requested rendition; '' for the lowest. */
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
 * Returns true if the viewer may request the stream `name`: '' for the lowest rendition, or a rendition of the camera
 * that is not named like an extra track.
 */
export const canRequestStream = (viewer: ViewerAttachment, name: string): boolean =>
  name === '' || (viewer.renditions.includes(name) && !Object.hasOwn(EXTRA_TRACK_OFFSETS, name))

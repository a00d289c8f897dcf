import * as v from 'valibot'

/**
 * Live video over a WebSocket for viewers whose network blocks WebRTC: fragmented MP4 in binary messages. Path: bridge
 * → camera object on its own socket (`BRIDGE_PATHS.relay`) → viewer on its signaling socket, if opened with `relay=1`
 * in its URL. The first byte is the message type.
 */
export const RELAY_MESSAGE_TYPES = {
  /** Length byte, codec string, initialization segment. Invalidates all earlier messages. */
  init: 0,
  /** One frame that decodes alone. */
  key: 1,
  /** One frame that can be decoded only after all frames since the last `key`. */
  delta: 2,
} as const

/**
 * Extra tracks beside the main video: the inset of a dual-lens camera, and audio. The relay sends each track like a
 * rendition of this name, and adds this number to its message types. Audio fragments are all `key`. All tracks of a
 * camera share one clock.
 */
export const RELAY_BESIDE = { inset: 0x10, sound: 0x20 } as const
export type ExtraTrackName = keyof typeof RELAY_BESIDE

/** Returns the offset of a rendition's message types: 0 unless it is an extra track. */
export const getExtraTrackOffset = (name: string): number =>
  new Map<string, number>(Object.entries(RELAY_BESIDE)).get(name) ?? 0

/** Parameter of a viewer's URL that requests video immediately. */
export const RELAY_PARAMETER = 'relay'

/**
 * Parameter of a bridge's relay socket with the rendition or extra track that it carries; left out: the lowest
 * rendition.
 */
export const RENDITION_PARAMETER = 'rendition'

/** Media type of all relayed video (H.264 constrained baseline). Viewers that cannot play it request none. */
export const RELAY_MEDIA_TYPE = 'video/mp4; codecs="avc1.42c01f"'

/** Viewer → camera object. A viewer with too few acknowledgments gets nothing until it has caught up. */
export const viewerRelayMessage = v.variant('action', [
  /** Number of binary messages received since the last acknowledgment. */
  v.object({
    action: v.literal('RELAY_ACK'),
    received: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
  }),
  /**
   * Requests a rendition; the current one continues until it is available. '': the lowest, with which a viewer starts.
   */
  v.object({ action: v.literal('RELAY_RENDITION'), name: v.pipe(v.string(), v.maxLength(12)) }),
  /** Selects the extra tracks from now on; none before the first such message. */
  v.object({ action: v.literal('RELAY_BESIDE'), inset: v.boolean(), sound: v.boolean() }),
  /** Stops the relayed video, because the viewer receives the video over another transport. */
  v.object({ action: v.literal('RELAY_STOP') }),
])
export type ViewerRelayMessage = v.InferOutput<typeof viewerRelayMessage>

/** Maximum delay of a viewer's acknowledgment. */
export const RELAY_ACK_INTERVAL_MS = 250

/** Close code of the relay socket: no viewers are left. */
export const CLOSE_RELAY_NO_VIEWERS = 4010
/** Close code of the relay socket: another socket replaced it, or the camera's bridge is offline. */
export const CLOSE_RELAY_ENDED = 4011

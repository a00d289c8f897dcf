import * as v from 'valibot'

/**
 * Message types of the relay: fragmented MP4 in binary WebSocket messages. The relay shows the first frame sooner than
 * WebRTC, and replaces WebRTC if a network blocks WebRTC. The bridge sends the messages to the camera's Durable Object
 * on a separate socket (`BRIDGE_PATHS.relay`). The Durable Object forwards them on the viewer's signaling socket if the
 * URL of that socket contains `relay=1`. The first byte of a message is its type.
 */
export const RELAY_MESSAGE_TYPES = {
  /**
   * Content: one byte with the length of the codec string, the codec string, the initialization segment. Invalidates
   * all earlier messages.
   */
  init: 0,
  /** One keyframe, which can be decoded alone. */
  key: 1,
  /** One frame that can be decoded only after all frames since the last `key`. */
  delta: 2,
} as const

/**
 * Extra tracks besides the main video: the inset of a dual-lens camera, and audio. Each number is added to the message
 * types of its track. Audio fragments are all `key`. All tracks of a camera share one clock.
 */
export const EXTRA_TRACK_OFFSETS = { inset: 0x10, sound: 0x20 } as const
export type ExtraTrackName = keyof typeof EXTRA_TRACK_OFFSETS

/** Returns the offset that is added to the message types of this track; 0 for all renditions of the main video. */
export const getExtraTrackOffset = (name: string): number =>
  new Map<string, number>(Object.entries(EXTRA_TRACK_OFFSETS)).get(name) ?? 0

/** Query parameter of a viewer's socket URL. The value `1` requests relayed video on this socket. */
export const RELAY_PARAMETER = 'relay'

/**
 * Query parameter of a bridge's relay socket: rendition or extra track that the socket carries. Omitted: the lowest
 * rendition.
 */
export const RENDITION_PARAMETER = 'rendition'

/**
 * Media type with which a page checks whether the browser can play the relay: H.264 constrained baseline profile, level
 * 3.1. The actual codec string is in the `init` message.
 */
export const RELAY_MEDIA_TYPE = 'video/mp4; codecs="avc1.42c01f"'

/**
 * Message from a viewer to the camera's Durable Object. A viewer that acknowledges too slowly gets no video until it
 * has caught up.
 */
export const viewerRelayMessage = v.variant('action', [
  /** Acknowledges `received` binary messages: those received since the previous acknowledgment. */
  v.object({
    action: v.literal('RELAY_ACK'),
    received: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
  }),
  /**
   * Requests a rendition; '' requests the lowest, which is the default. The current rendition continues until the
   * requested one is available.
   */
  v.object({ action: v.literal('RELAY_RENDITION'), name: v.pipe(v.string(), v.maxLength(12)) }),
  /** Replaces the viewer's selection of extra tracks. Initially, none is selected. */
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

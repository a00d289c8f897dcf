import * as v from 'valibot'

/**
 * Live pictures over a WebSocket, for viewers whose network gives WebRTC nothing. They travel as fragmented MP4 in binary
 * messages: bridge → camera object on a socket of its own (`BRIDGE_PATHS.relay`), camera object → viewer on the viewer's
 * signalling socket, if it was opened with `relay=1` in its address. The first byte of a message says what it is.
 */
export const RELAY = {
  /** A codec string, its length in the byte before it, then an initialisation segment. Whatever came before is over. */
  init: 0,
  /** One picture that can be shown without those before it. */
  key: 1,
  /** One picture that needs those since the last `key`. */
  delta: 2,
} as const

/**
 * What can be had beside the main picture: the second picture of a dual camera, and the sound. Each travels as a rendition of
 * this name does; the first byte of its messages is that much higher, and all of its fragments of sound are a `key`. Times
 * of everything that one camera sends are on one clock.
 */
export const RELAY_BESIDE = { inset: 0x10, sound: 0x20 } as const
export type RelayBeside = keyof typeof RELAY_BESIDE

/** What the name of a rendition adds to the first byte of its messages: nothing, unless it stands for something else. */
export const extraTrackOffset = (name: string): number =>
  new Map<string, number>(Object.entries(RELAY_BESIDE)).get(name) ?? 0

/** The parameter of a viewer's address that asks for pictures at once. */
export const RELAY_PARAMETER = 'relay'

/** The parameter of a bridge's relay socket that names the rendition which it brings, or what it brings beside; left out: the lowest. */
export const RENDITION_PARAMETER = 'rendition'

/** The kind of media that all relayed pictures are (H.264 constrained baseline): who cannot play it asks for none. */
export const RELAY_TYPE = 'video/mp4; codecs="avc1.42c01f"'

/** Viewer → camera object. A viewer that acknowledges too little gets nothing until it has caught up. */
export const relayOut = v.variant('action', [
  /** So many binary messages have arrived since the last acknowledgement. */
  v.object({
    action: v.literal('RELAY_ACK'),
    received: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
  }),
  /** Pictures in this rendition, once there are some; until then as they are. '': the lowest, with which a viewer begins. */
  v.object({ action: v.literal('RELAY_RENDITION'), name: v.pipe(v.string(), v.maxLength(12)) }),
  /** Which of what there is beside the main picture is wanted from now on; none, until this is said. */
  v.object({ action: v.literal('RELAY_BESIDE'), inset: v.boolean(), sound: v.boolean() }),
  /** No more pictures: they come by another way. */
  v.object({ action: v.literal('RELAY_STOP') }),
])
export type RelayOut = v.InferOutput<typeof relayOut>

/** Longest time that a viewer keeps an acknowledgement back, ms. */
export const RELAY_ACK_MS = 250

/** Closing code of the relay socket: nobody watches any more. */
export const RELAY_UNWATCHED = 4010
/** Closing code of the relay socket: another has taken its place, or its bridge is away. */
export const RELAY_OVER = 4011

import * as v from 'valibot'
import { cameraSettings, motionTrial } from '../cameras/camera-settings.ts'
import { answerBox, sealedAsk, sealingKey, sealingNonce } from '../cameras/camera-setup.ts'
import { deviceId, id, ms, text } from '../wire/envelope.ts'
import { event, eventResource } from '../events/events.ts'
import { found } from '../events/detections.ts'
import { iceServers } from '../live/ice-servers.ts'
import { signalOut } from '../live/viewer-messages.ts'
import { cameraState, signalIn } from '../live/signaling.ts'
import { errorReport } from '../telemetry/telemetry-calls.ts'

/**
 * The wire between a bridge (cameras) and the provider. Not reachable through the gateway.
 *
 * Every request carries `Authorization: Bridge <bridge id>`, `x-bridge-time` (ms UTC by the provider's clock, learnt from
 * the `x-provider-time` header of any answer) and `x-bridge-signature`: lower-case hex HMAC-SHA-256 over
 * `${METHOD}\n${path and query}\n${time}\n${lower-case hex SHA-256 of the body bytes}`. The HMAC key is the raw 32 bytes
 * SHA-256(bridge key); that hash is all the provider stores. A time more than 60 s off is refused with 401.
 * `content-digest` (RFC 9530, sha-256) says the hash of the body, so that the signature is checked before any of it is read;
 * a request without it, of an earlier version, may have a body of `BODY_MAX.call` at most.
 */
export const BRIDGE_TIME_WINDOW_MS = 60_000
export const BRIDGE_PATHS = {
  /** WebSocket, subprotocol-free. */
  control: '/bridge/v1/control',
  /**
   * WebSocket: live pictures of one camera in one rendition for the provider's relay (contract/live/relay-protocol.ts):
   * `/bridge/v1/relay/{device_id}?rendition={name}`.
   */
  relay: '/bridge/v1/relay',
  /** PUT registers or updates a camera, DELETE removes it: `/bridge/v1/cameras/{device_id}`. */
  cameras: '/bridge/v1/cameras',
  /** POST: asks for addresses to PUT objects to. */
  uploads: '/bridge/v1/uploads',
  /** POST: one recorded event; 200 means durable. Idempotent by event_id. */
  events: '/bridge/v1/events',
  /** POST: adds the clip to an event that was posted with `clip_state: 'uploading'`. Idempotent. */
  clip: '/bridge/v1/clip',
  /** POST: what an event shows, said after it was posted (contract/bridge/event-descriptions.ts). Idempotent; the newest counts. */
  moments: '/bridge/v1/moments',
  /** POST, without the bridge's headers: exchanges a code of `EXT-bridge-code` for an identity. */
  enrol: '/bridge/v1/enrol',
  /** POST: a batch of past events, homes with demo data only; known ids are left alone. */
  history: '/bridge/v1/history',
  /** POST: what the bridge itself failed at; 429 with Retry-After beyond 60 in an hour. Not known to earlier providers. */
  failures: '/bridge/v1/failures',
} as const

/** The code as a person types it: case, spaces and hyphens do not matter. Single use, good for 10 minutes. */
export const BRIDGE_CODE_MS = 600_000
export const enrolRequest = v.object({ code: text(40), name: v.pipe(text(120), v.trim(), v.minLength(1)) })
/**
 * `key`: 32 bytes in base64url, told this once. 404: the code is wrong, used or over; 429 with Retry-After: too many
 * tries.
 */
export const enrolAnswer = v.object({ code: v.literal(200), data: v.object({ bridge_id: id, key: text(64) }) })

/**
 * 410 answers a camera that its owner has removed in the portal: the bridge forgets it and confirms with DELETE (200 for
 * an unknown camera too); added anew later, it is taken again.
 */
export const registerCamera = v.object({
  nickname: text(120),
  device_model: text(64),
  /** Which of the bridge's homes; left out: its first. */
  home_id: v.optional(id),
  provider: v.picklist(['kvs', 'lake']),
  /** From the lowest to the best; none: a device of the camera category without a live picture. */
  renditions: v.array(text(12)),
  dual: v.boolean(),
  audio: v.boolean(),
  battery: v.boolean(),
  /** Position in the list. */
  device_order: v.number(),
  firmware_version: v.optional(text(40)),
})
export type RegisterCamera = v.InferOutput<typeof registerCamera>

export const uploadKind = v.picklist(['clip', 'thumb', 'last'])
/**
 * `name` of a clip or thumb is the event id, or for demo history a shared name such as `driveway-day-courier`; of a last
 * picture it is the device id.
 */
export const uploadRequest = v.object({
  device_id: deviceId,
  objects: v.pipe(
    v.array(
      v.object({
        kind: uploadKind,
        name: text(120),
        /** An object of demo history that many events share; homes with demo data only. */
        shared: v.optional(v.boolean()),
        type: v.picklist(['video/mp4', 'image/jpeg']),
        length: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64 * 1024 * 1024)),
      }),
    ),
    v.minLength(1),
    v.maxLength(100),
  ),
})
export type UploadRequest = v.InferOutput<typeof uploadRequest>
/** Grants in the order asked. `exists`: the object is already stored with that length, no PUT needed. Valid for 10 minutes. */
export const uploadGrants = v.object({
  code: v.literal(200),
  data: v.object({ grants: v.array(v.object({ object: text(300), url: v.string(), exists: v.boolean() })) }),
})

/** What an event shows from a moment on, in one sentence; `at_s`: seconds from the beginning of its clip. */
export const moment = v.object({ at_s: v.pipe(v.number(), v.minValue(0)), text: text(300) })
export type Moment = v.InferOutput<typeof moment>
export const moments = v.pipe(v.array(moment), v.maxLength(20))

/** An event with the stored objects of its clip and thumbnail (`object` of the grants). */
export const bridgeEvent = v.object({
  ...event.entries,
  /** Only for the search; left out where nobody describes what the camera shows. */
  moments: v.optional(moments),
  /** Where in the clip what was found is; left out where nobody knows. */
  found: v.optional(found),
  clip_object: v.nullable(text(300)),
  thumb_object: v.nullable(text(300)),
})
export type BridgeEvent = v.InferOutput<typeof bridgeEvent>
/**
 * `clip_state: 'uploading'` lists an event whose clip is not stored yet (`clip_object` null, `event_resources` empty); its
 * clip follows by `postClip`, or by the same event again with its objects.
 */
export const postEvent = v.object({ event: bridgeEvent })
/**
 * When an event can have been: not before this service, nor later than clocks go wrong, ms UTC and ms. Any other is refused
 * with 422: a bridge stamps by the provider's clock, and no later try would change what it has stamped.
 */
export const EVENT_TIMES = { since: Date.UTC(2020, 0), aheadMs: 300_000 } as const
/**
 * 404: the event is not known, post it first. 409: an object is not stored, upload it first. `clip_object` null: the clip
 * is lost, the event stays without one. A thumbnail replaces the event's former one.
 */
export const postClip = v.object({
  device_id: deviceId,
  event_id: id,
  clip_object: v.nullable(text(300)),
  thumb_object: v.nullable(text(300)),
  event_resources: v.pipe(v.array(eventResource), v.maxLength(10)),
})
export type PostClip = v.InferOutput<typeof postClip>
export const postHistory = v.object({ device_id: deviceId, events: v.pipe(v.array(bridgeEvent), v.maxLength(500)) })

export const helloCamera = v.object({
  device_id: deviceId,
  state: cameraState,
  reason: text(300),
  /** Since when, by the provider's clock, where the bridge knows it. */
  since: v.optional(ms),
})
/** `tells_watched`: the bridge says how far it has watched (`watchedMessage`); earlier versions do not. */
export const helloMessage = v.object({
  type: v.literal('hello'),
  version: text(40),
  cameras: v.array(helloCamera),
  tells_watched: v.optional(v.boolean()),
})

/** How often a bridge says how far it has watched. */
export const WATCHED_MS = 10_000
/**
 * `spans`: when motion was looked for (`watched`) or did not have to be (`motion_off`), `[from, to, kind]` in ms UTC, oldest
 * first, the newest few; in between nobody looked, and after the last nothing is known yet. `waiting`: what was
 * recorded or is being recorded and is not acknowledged, `[from, to]`, oldest first; the last may stand for several.
 */
export const watchedCamera = v.object({
  device_id: deviceId,
  spans: v.pipe(v.array(v.strictTuple([ms, ms, v.picklist(['watched', 'motion_off'])])), v.maxLength(8)),
  waiting: v.pipe(v.array(v.strictTuple([ms, ms])), v.maxLength(20)),
})
export type WatchedCamera = v.InferOutput<typeof watchedCamera>
export const watchedMessage = v.object({ type: v.literal('watched'), cameras: v.array(watchedCamera) })

/** Bridge → provider over the control socket (parse-bridge-messages.ts reads those of other versions). */
export const bridgeMessage = v.variant('type', [
  helloMessage,
  v.object({ type: v.literal('signal'), device_id: deviceId, viewer_id: id, message: signalOut }),
  /** `at`: when it changed, by the provider's clock; more than 60 s off counts as now. */
  v.object({ type: v.literal('state'), device_id: deviceId, state: cameraState, reason: text(300), at: ms }),
  /** Every `WATCHED_MS`: the provider claims that nothing moved only where it was watched. */
  watchedMessage,
  /** Answers `try_motion`. */
  v.object({ type: v.literal('trial'), trial_id: id, trial: motionTrial }),
  /** Answers `door`: its public key, and a nonce that is good for one box within two minutes. */
  v.object({ type: v.literal('door'), ask_id: id, key: sealingKey, nonce: sealingNonce }),
  /** One answer to `sealed`, which only the page can open; nothing comes after the one that is `over`. */
  v.object({ type: v.literal('answer'), ask_id: id, box: answerBox, over: v.boolean() }),
  /** Heartbeat every 10 s; after 25 s without one the cameras count as `bridge_off`. */
  v.object({ type: v.literal('ping') }),
])
export type BridgeMessage = v.InferOutput<typeof bridgeMessage>

/** A camera as the welcome has it: what lasts over connections. */
export const welcomeCamera = v.object({
  device_id: deviceId,
  nickname: text(120),
  last_event_ts: v.nullable(ms),
  /** False: switched off by its owner. */
  power: v.boolean(),
  /** The chosen rendition; null: none was chosen. */
  rendition: v.nullable(text(12)),
  /** Dual cameras: whether the inset picture stands in the place of the main one. */
  pip: v.boolean(),
  settings: cameraSettings,
})
export type WelcomeCamera = v.InferOutput<typeof welcomeCamera>

const command = { type: v.literal('command'), device_id: deviceId }
/**
 * What a camera is told to do. `power`, `rendition` and `pip` name the state to reach, so that one that comes twice changes
 * nothing; one that is missed stands in the next welcome.
 */
export const commandMessage = v.variant('command', [
  v.object({ ...command, command: v.literal('wake') }),
  v.object({ ...command, command: v.literal('power'), on: v.boolean() }),
  v.object({ ...command, command: v.literal('rendition'), name: text(12) }),
  v.object({ ...command, command: v.literal('pip'), swap: v.boolean() }),
  v.object({ ...command, command: v.literal('keyframe') }),
  /**
   * Somebody wants its pictures over the relay, in this rendition (left out: the lowest), or one of `RELAY_BESIDE`: the bridge
   * opens the socket, or begins anew on the open one. Names that the camera does not have are left alone.
   */
  v.object({ ...command, command: v.literal('relay'), rendition: v.optional(text(12)) }),
  /** Somebody wants a new last picture. */
  v.object({ ...command, command: v.literal('snapshot') }),
])

export const welcomeHome = v.object({ home_id: id, demo: v.boolean(), cameras: v.array(welcomeCamera) })
/** Answer to hello: the provider's clock and the homes that this bridge serves. */
export const welcomeMessage = v.object({
  type: v.literal('welcome'),
  now: ms,
  homes: v.array(welcomeHome),
  /** Those that viewers are told, secrets included. Left out: none. */
  ice_servers: v.optional(iceServers),
})
const settings = { device_id: deviceId, settings: cameraSettings }
export const settingsMessage = v.object({ type: v.literal('settings'), ...settings })
/** What would these settings have made of the last hour? Changes nothing. */
export const tryMotionMessage = v.object({ type: v.literal('try_motion'), trial_id: id, ...settings })

/** Provider → bridge over the control socket (parse-bridge-messages.ts reads those of other versions). */
export const providerMessage = v.variant('type', [
  welcomeMessage,
  v.object({ type: v.literal('viewer'), device_id: deviceId, viewer_id: id, event: v.picklist(['open', 'close']) }),
  v.object({ type: v.literal('signal'), device_id: deviceId, viewer_id: id, message: signalIn }),
  commandMessage,
  settingsMessage,
  tryMotionMessage,
  /** The owner of a home would like to seal a box for this bridge (contract/cameras/camera-setup.ts). */
  v.object({ type: v.literal('door'), ask_id: id }),
  /** A box of the owner of this home. */
  v.object({ type: v.literal('sealed'), ask_id: id, home_id: id, sealed: sealedAsk }),
  /** The owner has taken away this camera (see `registerCamera`); null: this bridge, whose key opens nothing any more. */
  v.object({ type: v.literal('removed'), device_id: v.nullable(deviceId) }),
  v.object({ type: v.literal('pong'), now: ms }),
])
export type ProviderMessage = v.InferOutput<typeof providerMessage>

/** What a bridge of this version failed at, without anything of the home in it. */
export const postFailure = v.object({ version: v.pipe(text(40), v.regex(/^[\w.-]+$/)), report: errorReport })
export type PostFailure = v.InferOutput<typeof postFailure>

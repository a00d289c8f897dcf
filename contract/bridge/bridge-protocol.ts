import { cameraState } from '../cameras/devices.ts'
import * as v from 'valibot'
import { cameraSettings, motionPreview } from '../cameras/camera-settings.ts'
import { sealedAnswer, sealedRequest, sealingKey, sealingNonce } from '../cameras/camera-setup.ts'
import { deviceId, id, timestampMs, text } from '../wire/envelope.ts'
import { event, eventResource } from '../events/events.ts'
import { clipDetections } from '../events/detections.ts'
import { iceServers } from '../live/ice-servers.ts'
import { coverageMessage } from './detection-coverage.ts'
import { signalToService } from '../live/viewer-messages.ts'
import { signalFromService } from '../live/signaling.ts'
import { errorReport } from '../telemetry/telemetry-calls.ts'

/**
 * Wire protocol between a bridge (cameras) and the provider. The edge does not forward it.
 *
 * Every request except an enrollment carries `Authorization: Bridge <bridge id>`, `x-bridge-time` (ms UTC by the
 * provider's clock, taken from the `x-provider-time` header of any response) and `x-bridge-signature`: lower-case hex
 * HMAC-SHA-256 over `${METHOD}\n${path and query}\n${time}\n${lower-case hex SHA-256 of the body bytes}`. The HMAC key
 * is the raw 32 bytes SHA-256(bridge key); the provider stores only that hash. If the time is more than 60 s off, the
 * provider responds with 401. `content-digest` (RFC 9530, sha-256) carries the hash of the body, so that the provider
 * can verify the signature before it reads the body. Earlier bridge versions do not send `content-digest`; without it,
 * the body limit is `BODY_BYTES_MAX.call` for every path.
 */
export const BRIDGE_TIME_WINDOW_MS = 60_000
export const BRIDGE_PATHS = {
  /** WebSocket without a subprotocol. */
  control: '/bridge/v1/control',
  /**
   * WebSocket `/bridge/v1/relay/{device_id}?rendition={name}`: sends the live frames of one rendition of a camera, or
   * an extra track, to the provider's relay (contract/live/relay-protocol.ts).
   */
  relay: '/bridge/v1/relay',
  /** PUT registers or updates a camera, DELETE removes a camera: `/bridge/v1/cameras/{device_id}`. */
  cameras: '/bridge/v1/cameras',
  /** POST: requests upload grants. */
  uploads: '/bridge/v1/uploads',
  /** POST: one recorded event. 200: the provider has stored the event durably. Idempotent by event_id. */
  events: '/bridge/v1/events',
  /** POST: adds the clip to an event that was posted with `clip_state: 'uploading'`. Idempotent. */
  clip: '/bridge/v1/clip',
  /** POST: adds descriptions to an event later (event-descriptions.ts). Idempotent; the newest description wins. */
  moments: '/bridge/v1/moments',
  /**
   * POST, without the bridge's headers: exchanges an enrollment code (from `EXT-bridge-code`) for a bridge identity.
   */
  enrol: '/bridge/v1/enrol',
  /** POST: a batch of past events, for homes with demo data only; known ids are skipped. */
  history: '/bridge/v1/history',
  /**
   * POST: one error report of the bridge. 429 with Retry-After: more than 60 reports in an hour. Older providers lack
   * this path.
   */
  failures: '/bridge/v1/failures',
} as const

/** Lifetime of a single-use enrollment code, ms. People type the code, so case, spaces and hyphens do not matter. */
export const ENROLLMENT_CODE_LIFETIME_MS = 600_000
export const enrollRequest = v.object({ code: text(40), name: v.pipe(text(120), v.trim(), v.minLength(1)) })
/**
 * `key`: the bridge's secret key, 32 bytes in base64url, sent only once. 404: the code is wrong, used or expired. 429
 * with Retry-After: too many attempts.
 */
export const enrollResponse = v.object({ code: v.literal(200), data: v.object({ bridge_id: id, key: text(64) }) })

/**
 * Registers or updates a camera. 410: the owner removed the camera in the portal. The bridge must then delete the
 * camera and confirm with DELETE; afterwards, the bridge may register the camera again. 409: the id is not available.
 * 403: the bridge does not serve the home, or has too many cameras.
 */
export const registerCameraRequest = v.object({
  nickname: text(120),
  device_model: text(64),
  /** Home of the camera, one of the bridge's homes. Default: the bridge's first home. */
  home_id: v.optional(id),
  provider: v.picklist(['kvs', 'lake']),
  /** Renditions from the lowest to the best; empty: a camera-category device without live video. */
  renditions: v.array(text(12)),
  dual: v.boolean(),
  audio: v.boolean(),
  battery: v.boolean(),
  device_order: v.number(),
  firmware_version: v.optional(text(40)),
})
export type RegisterCameraRequest = v.InferOutput<typeof registerCameraRequest>

export const UPLOAD_MAX_BYTES = 64 * 1024 * 1024
const uploadLength = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(UPLOAD_MAX_BYTES))
/**
 * `name`: the event id for a clip or thumb, and the device id for a last picture. Demo history uses shared names, such
 * as `driveway-day-courier`.
 */
export const uploadRequest = v.object({
  device_id: deviceId,
  objects: v.pipe(
    v.array(
      v.object({
        kind: v.picklist(['clip', 'thumb', 'last']),
        name: text(120),
        /** Object of demo history that many events share; homes with demo data only. */
        shared: v.optional(v.boolean()),
        type: v.picklist(['video/mp4', 'image/jpeg']),
        length: uploadLength,
      }),
    ),
    v.minLength(1),
    v.maxLength(100),
  ),
})
export type UploadRequest = v.InferOutput<typeof uploadRequest>
/**
 * Upload grants in the order of the request, valid for 10 minutes. `exists`: the object is already stored with the
 * requested length, so no PUT is needed; always false for a last picture.
 */
const uploadGrant = v.object({ object: text(300), url: v.string(), exists: v.boolean() })
export const uploadGrants = v.object({ code: v.literal(200), data: v.object({ grants: v.array(uploadGrant) }) })

/** Sentence that describes a clip from one time onward. `at_s`: seconds from the start of the clip. */
export const moment = v.object({ at_s: v.pipe(v.number(), v.minValue(0)), text: text(300) })
export type Moment = v.InferOutput<typeof moment>
export const moments = v.pipe(v.array(moment), v.maxLength(20))

/** Event with the stored objects of its clip and thumbnail (`object` in the upload grants). */
export const bridgeEvent = v.object({
  ...event.entries,
  /** Descriptions of the clip for search; omitted if the camera creates no descriptions. */
  moments: v.optional(moments),
  found: v.optional(clipDetections),
  clip_object: v.nullable(text(300)),
  thumb_object: v.nullable(text(300)),
  /** Position of the thumbnail's frame: seconds from the start of the clip; omitted if unknown. */
  thumb_at_s: v.optional(v.pipe(v.number(), v.minValue(0))),
})
export type BridgeEvent = v.InferOutput<typeof bridgeEvent>
/** In base64, a thumbnail of this length fits into `BODY_BYTES_MAX.call`, together with its event. */
export const EARLY_THUMBNAIL_MAX_BYTES = 96 * 1024
const base64 = v.pipe(text((EARLY_THUMBNAIL_MAX_BYTES * 4) / 3), v.regex(/^[A-Za-z0-9+/]+={0,2}$/))
/**
 * Part of a new event with `clip_state: 'uploading'`, for providers with `stores_thumbnails`. `jpeg`: the thumbnail, which
 * the clip's object will contain too (`thumb_length`). `clip_length`: requests an upload grant for that object.
 */
export const earlyMedia = v.object({ jpeg: base64, clip_length: v.optional(uploadLength) })
/**
 * With `clip_state: 'uploading'`, the bridge posts an event before its clip: `clip_object` is null and
 * `event_resources` is empty. The bridge adds the clip later, with a `postClipRequest` or by posting the event again
 * with its objects.
 */
export const postEventRequest = v.object({ event: bridgeEvent, early: v.optional(earlyMedia) })
/** `clip_grant`: null if the bridge must request the grant separately. */
export const postEventResponse = v.object({ code: v.literal(200), clip_grant: v.nullish(uploadGrant) })
/**
 * Limits of event times. `since`: earliest time, ms UTC. `aheadMs`: tolerance for a clock that is ahead. The provider
 * rejects times outside these limits with 422, and bridges do not retry.
 */
export const EVENT_TIME_LIMITS = { since: Date.UTC(2020, 0), aheadMs: 300_000 } as const
/**
 * Adds a clip and perhaps a new thumbnail to a posted event. `clip_object` null: the clip is lost. 404: the event is
 * unknown; post the event first. 409: an object is not stored; upload the object first.
 */
export const postClipRequest = v.object({
  device_id: deviceId,
  event_id: id,
  clip_object: v.nullable(text(300)),
  /** Length of the JPEG at the end of `clip_object`, in its `mdat` box; omitted without one. */
  thumb_length: v.optional(v.pipe(uploadLength, v.maxValue(EARLY_THUMBNAIL_MAX_BYTES))),
  thumb_object: v.nullable(text(300)),
  event_resources: v.pipe(v.array(eventResource), v.maxLength(10)),
})
export type PostClipRequest = v.InferOutput<typeof postClipRequest>
export const postHistoryRequest = v.object({
  device_id: deviceId,
  events: v.pipe(v.array(bridgeEvent), v.maxLength(500)),
})

export const helloCamera = v.object({
  device_id: deviceId,
  state: cameraState,
  reason: text(300),
  /** Start of the camera's state, ms UTC by the provider's clock; omitted if the bridge does not know it. */
  since: v.optional(timestampMs),
})
/**
 * `tells_watched`: true if the bridge reports detection coverage (`coverageMessage`). Older bridge versions do not
 * report it. `last_contact`: time of the last message from the provider on an earlier connection, ms UTC by the
 * provider's clock.
 */
export const helloMessage = v.object({
  type: v.literal('hello'),
  version: text(40),
  cameras: v.array(helloCamera),
  tells_watched: v.optional(v.boolean()),
  last_contact: v.optional(timestampMs),
})

/** Message from the bridge to the provider over the control socket. parse-bridge-messages.ts parses other versions. */
export const bridgeMessage = v.variant('type', [
  helloMessage,
  v.object({ type: v.literal('signal'), device_id: deviceId, viewer_id: id, message: signalToService }),
  /**
   * `at`: time of the change by the provider's clock. If this time is 60 s or more off, the provider uses its own time.
   */
  v.object({ type: v.literal('state'), device_id: deviceId, state: cameraState, reason: text(300), at: timestampMs }),
  /**
   * Detection coverage, sent after a change and, unless it is settled, every `COVERAGE_REPORT_INTERVAL_MS`. The
   * timeline shows "No motion" only for covered spans.
   */
  coverageMessage,
  /** Answers `try_motion`. */
  v.object({ type: v.literal('trial'), trial_id: id, trial: motionPreview }),
  /** Answers `door`: the bridge's public key, and a nonce that is valid for one sealed request within two minutes. */
  v.object({ type: v.literal('door'), ask_id: id, key: sealingKey, nonce: sealingNonce }),
  /**
   * Encrypted response to a `sealed` message; only the page can decrypt the response. `over`: true for the last
   * response.
   */
  v.object({ type: v.literal('answer'), ask_id: id, box: sealedAnswer, over: v.boolean() }),
  /** Heartbeat every 10 s (`HEARTBEAT_TEXT`). After 25 s without any message, the cameras count as `bridge_off`. */
  v.object({ type: v.literal('ping') }),
])
export type BridgeMessage = v.InferOutput<typeof bridgeMessage>
export type HelloMessage = v.InferOutput<typeof helloMessage>

/** Camera in the welcome message, with its owner settings as the provider stores them. */
export const welcomeCamera = v.object({
  device_id: deviceId,
  nickname: text(120),
  last_event_ts: v.nullable(timestampMs),
  power: v.boolean(),
  /** Best rendition that the owner allows for viewers; null: no limit. */
  rendition: v.nullable(text(12)),
  /** True if the two views of a dual-lens camera are swapped. */
  pip: v.boolean(),
  settings: cameraSettings,
})
export type WelcomeCamera = v.InferOutput<typeof welcomeCamera>

const command = { type: v.literal('command'), device_id: deviceId }
/**
 * Commands for a camera. `power`, `rendition` and `pip` contain the target state, so a duplicate has no effect, and the
 * next welcome message contains the state of a missed command.
 */
export const commandMessage = v.variant('command', [
  v.object({ ...command, command: v.literal('wake') }),
  v.object({ ...command, command: v.literal('power'), on: v.boolean() }),
  v.object({ ...command, command: v.literal('rendition'), name: text(12) }),
  v.object({ ...command, command: v.literal('pip'), swap: v.boolean() }),
  v.object({ ...command, command: v.literal('keyframe') }),
  /**
   * Requests the relay of a rendition (default: the lowest) or of an extra track (`RELAY_BESIDE`). The bridge opens the
   * relay socket, or restarts the stream on an open socket. The bridge ignores unknown names.
   */
  v.object({ ...command, command: v.literal('relay'), rendition: v.optional(text(12)) }),
  /** Requests a new last picture. */
  v.object({ ...command, command: v.literal('snapshot') }),
])

export const welcomeHome = v.object({ home_id: id, demo: v.boolean(), cameras: v.array(welcomeCamera) })
/** Response to hello: the provider's clock and the homes of this bridge. */
export const welcomeMessage = v.object({
  type: v.literal('welcome'),
  now: timestampMs,
  homes: v.array(welcomeHome),
  /** ICE servers with credentials; viewers get the same servers. Default: none. */
  ice_servers: v.optional(iceServers),
  /** True if heartbeats confirm detection coverage (`lag_ms`). Earlier providers need a report every 10 s. */
  confirms_coverage: v.optional(v.boolean()),
  /** True if events can carry their thumbnail (`earlyMedia`). For earlier providers, bridges upload it. */
  stores_thumbnails: v.optional(v.boolean()),
})
const settings = { device_id: deviceId, settings: cameraSettings }
export const settingsMessage = v.object({ type: v.literal('settings'), ...settings })
/** Requests a motion preview of these settings on the last hour. Read-only. */
export const motionPreviewMessage = v.object({ type: v.literal('try_motion'), trial_id: id, ...settings })

/** Message from the provider to the bridge over the control socket. parse-bridge-messages.ts parses other versions. */
export const providerMessage = v.variant('type', [
  welcomeMessage,
  v.object({ type: v.literal('viewer'), device_id: deviceId, viewer_id: id, event: v.picklist(['open', 'close']) }),
  v.object({ type: v.literal('signal'), device_id: deviceId, viewer_id: id, message: signalFromService }),
  commandMessage,
  settingsMessage,
  motionPreviewMessage,
  /**
   * Requests the bridge's key and a nonce, because the owner of a home wants to send a sealed request to this bridge
   * (contract/cameras/camera-setup.ts).
   */
  v.object({ type: v.literal('door'), ask_id: id }),
  v.object({ type: v.literal('sealed'), ask_id: id, home_id: id, sealed: sealedRequest }),
  /**
   * The owner removed this camera (see `registerCameraRequest`). `device_id` null: the owner removed this bridge, whose
   * key is no longer valid.
   */
  v.object({ type: v.literal('removed'), device_id: v.nullable(deviceId) }),
  v.object({ type: v.literal('pong'), now: timestampMs }),
])
export type ProviderMessage = v.InferOutput<typeof providerMessage>

/** Version and error report of the bridge. Contains no data of the home. */
export const postFailureRequest = v.object({ version: v.pipe(text(40), v.regex(/^[\w.-]+$/)), report: errorReport })
export type PostFailureRequest = v.InferOutput<typeof postFailureRequest>

import * as v from 'valibot'
import { deviceId, id, ms, text } from './envelope.ts'
import { event } from './events.ts'
import { cameraState, signalIn, signalOut } from './signalling.ts'

/**
 * The wire between a bridge (cameras) and the provider. Not reachable through the gateway.
 *
 * Every request carries `Authorization: Bridge <bridge id>`, `x-bridge-time` (ms UTC by the provider's clock, learnt from
 * the `x-provider-time` header of any answer) and `x-bridge-signature`: lower-case hex HMAC-SHA-256 over
 * `${METHOD}\n${path and query}\n${time}\n${lower-case hex SHA-256 of the body bytes}`. The HMAC key is the raw 32 bytes
 * SHA-256(bridge key); that hash is all the provider stores. A time more than 60 s off is refused with 401.
 */
export const BRIDGE_TIME_WINDOW_MS = 60_000
export const BRIDGE_PATHS = {
  /** WebSocket, subprotocol-free. */
  control: '/bridge/v1/control',
  /** PUT registers or updates a camera, DELETE removes it: `/bridge/v1/cameras/{device_id}`. */
  cameras: '/bridge/v1/cameras',
  /** POST: asks for addresses to PUT objects to. */
  uploads: '/bridge/v1/uploads',
  /** POST: one recorded event; 200 means durable. Idempotent by event_id. */
  events: '/bridge/v1/events',
  /** POST: a batch of past events, homes with demo data only; known ids are left alone. */
  history: '/bridge/v1/history',
} as const

export const registerCamera = v.object({
  nickname: text(120),
  device_model: text(64),
  /** Which of the bridge's homes; left out: its first. */
  home_id: v.optional(id),
  provider: v.picklist(['kvs', 'lake']),
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

/** An event with the stored objects of its clip and thumbnail (`object` of the grants). */
export const bridgeEvent = v.object({
  ...event.entries,
  clip_object: v.nullable(text(300)),
  thumb_object: v.nullable(text(300)),
})
export type BridgeEvent = v.InferOutput<typeof bridgeEvent>
export const postEvent = v.object({ event: bridgeEvent })
export const postHistory = v.object({ device_id: deviceId, events: v.pipe(v.array(bridgeEvent), v.maxLength(500)) })

/** Bridge → provider over the control socket. */
export const bridgeMessage = v.variant('type', [
  v.object({
    type: v.literal('hello'),
    version: text(40),
    cameras: v.array(v.object({ device_id: deviceId, state: cameraState, reason: text(300) })),
  }),
  v.object({ type: v.literal('signal'), device_id: deviceId, viewer_id: id, message: signalOut }),
  v.object({ type: v.literal('state'), device_id: deviceId, state: cameraState, reason: text(300), at: ms }),
  /** Heartbeat every 10 s; after 25 s without one the cameras count as `bridge_off`. */
  v.object({ type: v.literal('ping') }),
])
export type BridgeMessage = v.InferOutput<typeof bridgeMessage>

/** Provider → bridge over the control socket. */
export const providerMessage = v.variant('type', [
  /** Answer to hello: the provider's clock and the homes that this bridge serves. */
  v.object({
    type: v.literal('welcome'),
    now: ms,
    homes: v.array(
      v.object({
        home_id: id,
        demo: v.boolean(),
        cameras: v.array(v.object({ device_id: deviceId, nickname: text(120), last_event_ts: v.nullable(ms) })),
      }),
    ),
  }),
  v.object({ type: v.literal('viewer'), device_id: deviceId, viewer_id: id, event: v.picklist(['open', 'close']) }),
  v.object({ type: v.literal('signal'), device_id: deviceId, viewer_id: id, message: signalIn }),
  v.object({
    type: v.literal('command'),
    device_id: deviceId,
    command: v.picklist(['wake', 'rendition', 'power', 'pip', 'keyframe']),
    value: v.optional(v.union([v.string(), v.number(), v.boolean()])),
  }),
  v.object({ type: v.literal('pong'), now: ms }),
])
export type ProviderMessage = v.InferOutput<typeof providerMessage>

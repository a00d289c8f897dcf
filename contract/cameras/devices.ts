import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, text } from '../wire/envelope.ts'

export const cameraState = v.picklist(['asleep', 'waking', 'awake', 'offline', 'switched_off', 'bridge_off'])
export type CameraState = v.InferOutput<typeof cameraState>

/** Device in the device list of a home, as the provider sends it (DEVICE-01). */
export const device = v.object({
  device_id: deviceId,
  device_model: text(64),
  nickname: text(120),
  device_order: v.number(),
  /** Role of the account for this device (roles.ts). */
  role: v.number(),
  device_category: text(40),
  property: v.optional(v.object({ 'iot-state': v.optional(v.number()), 'iot-power': v.optional(v.number()) })),
  device_param: v.optional(
    v.object({
      thumbnail_url: v.optional(v.string()),
      firmware_version: v.optional(text(40)),
      /** Transports for live video. A device without transports has no live stream. */
      p2p_providers: v.optional(v.array(text(40))),
    }),
  ),
  /**
   * Last known state of the camera; `bridge_off`: its bridge is not connected or was removed. `state_reason`: one
   * sentence that tells the owner why the camera cannot play or record.
   */
  state: v.optional(v.picklist([...cameraState.options, 'unknown'])),
  state_reason: v.optional(text(300)),
  /** Start of `state`, milliseconds UTC. */
  state_since: v.optional(v.number()),
  /**
   * True if a plan other than the free plan covers the camera. The account then sees events of every kind (OPEN-147).
   */
  covered: v.optional(v.boolean()),
  keeps_days: v.optional(v.number()),
})
export type WireDevice = v.InferOutput<typeof device>

/** Returns the homes of the user. The home with role 1 is the primary home (DEVICE-10). */
export const getHomes = call(
  'CALL-27',
  'GET',
  '/app/v4/home',
  'new-device',
  {
    request: v.object({}),
    response: envelope(1, v.array(v.object({ home_id: id, role: v.number(), name: text(120) }))),
  },
  { success: 1, nonce: true },
)

export const getHomeDevices = call(
  'CALL-28',
  'POST',
  '/app/v4/home/get-home-devices',
  'new-device',
  {
    request: v.object({ device_category: v.literal('camera'), env: text(20), home_id: v.optional(id) }),
    response: envelope(
      1,
      v.object({ device_list: v.array(device), sort_type: v.number(), sort_direction: v.number() }),
    ),
  },
  { success: 1, nonce: true },
)

import * as v from 'valibot'
import { accountEmail } from '../operator/operator-calls.ts'
import { cameraSettings, motionTrial } from './camera-settings.ts'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, ms, text } from '../wire/envelope.ts'
import { SHARED } from '../auth/roles.ts'

/** What an owner does with bridges, cameras and shares: extension calls in a file of their own, since no page needs them at first. */

const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60))
const done = envelope(200, v.object({}))
/** Calls below that change something are the owner's: 403 for who sees the camera and does not own it, 404 for everybody else. */
const write = { nonce: true }

/** A code that enrols one bridge in the account's own home, once, until `expires_at`; it replaces the one before. */
export const makeBridgeCode = call(
  'EXT-bridge-code',
  'POST',
  '/extension/bridge-code',
  'extension',
  {
    request: v.object({}),
    response: envelope(200, v.object({ code: text(40), expires_at: ms })),
  },
  write,
)

/** Bridges at the homes that the account owns, with their cameras there. */
export const getBridges = call('EXT-bridges', 'GET', '/extension/bridges', 'extension', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({
      bridges: v.array(
        v.object({
          bridge_id: id,
          name: text(120),
          created_at: ms,
          connected: v.boolean(),
          /** null: has never connected. */
          version: v.nullable(text(40)),
          last_seen: v.nullable(ms),
          cameras: v.array(v.object({ device_id: deviceId, nickname: text(120) })),
        }),
      ),
    }),
  ),
})
export const renameBridge = call(
  'EXT-bridge-rename',
  'POST',
  '/extension/bridge-rename',
  'extension',
  { request: v.object({ bridge_id: id, name }), response: done },
  write,
)
/** Cuts the bridge off the account's homes at once; one that serves no other home loses its key. Its cameras stay listed. */
export const revokeBridge = call(
  'EXT-bridge-revoke',
  'POST',
  '/extension/bridge-revoke',
  'extension',
  { request: v.object({ bridge_id: id }), response: done },
  write,
)

/** Switches a camera on or off; a bridge that is away hears of it when it is back. */
export const setCameraPower = call(
  'EXT-camera-power',
  'POST',
  '/extension/camera-power',
  'extension',
  { request: v.object({ device_id: deviceId, on: v.boolean() }), response: done },
  write,
)
export const getCameraSettings = call('EXT-camera-settings', 'GET', '/extension/camera-settings', 'extension', {
  request: v.object({ device_id: deviceId }),
  response: envelope(200, cameraSettings),
})
export const setCameraSettings = call(
  'EXT-set-camera-settings',
  'PUT',
  '/extension/camera-settings',
  'extension',
  { request: v.object({ device_id: deviceId, settings: cameraSettings }), response: done },
  write,
)
/** Tries settings on the last hour before they are saved. The bridge answers, where it is there and young enough to know how. */
export const tryMotion = call(
  'EXT-try-motion',
  'POST',
  '/extension/try-motion',
  'extension',
  {
    request: v.object({ device_id: deviceId, settings: cameraSettings }),
    response: envelope(
      200,
      v.variant('state', [
        v.object({ state: v.literal('tried'), ...motionTrial.entries }),
        v.object({ state: v.picklist(['bridge_off', 'no_answer']) }),
      ]),
    ),
  },
  write,
)
export const renameCamera = call(
  'EXT-camera-rename',
  'POST',
  '/extension/camera-rename',
  'extension',
  { request: v.object({ device_id: deviceId, nickname: name }), response: done },
  write,
)
/** Puts cameras of one home in this order; those not named come behind, in the order they had. */
export const orderCameras = call(
  'EXT-camera-order',
  'POST',
  '/extension/camera-order',
  'extension',
  {
    request: v.object({ device_ids: v.pipe(v.array(deviceId), v.minLength(1), v.maxLength(99)) }),
    response: done,
  },
  write,
)
/** Takes a camera off the home; its bridge forgets it. */
export const removeCamera = call(
  'EXT-camera-remove',
  'POST',
  '/extension/camera-remove',
  'extension',
  { request: v.object({ device_id: deviceId }), response: done },
  write,
)

/** Lets another account see a camera. 404 when the address has no account, 429 after many tries. */
export const shareCamera = call(
  'EXT-share',
  'POST',
  '/extension/share',
  'extension',
  { request: v.object({ device_id: deviceId, email: accountEmail, role: v.literal(SHARED) }), response: done },
  write,
)
/** Who else sees the cameras of the homes that the account owns. */
export const getShares = call('EXT-shares', 'GET', '/extension/shares', 'extension', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({
      shares: v.array(v.object({ device_id: deviceId, email: text(254), role: v.number(), created_at: ms })),
    }),
  ),
})
/** Ends a share: pictures and feed of that account stop within a second. */
export const revokeShare = call(
  'EXT-unshare',
  'POST',
  '/extension/unshare',
  'extension',
  { request: v.object({ device_id: deviceId, email: accountEmail }), response: done },
  write,
)

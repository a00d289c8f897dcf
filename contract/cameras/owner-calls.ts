import * as v from 'valibot'
import { accountEmail } from '../operator/operator-calls.ts'
import { cameraSettings, motionPreview } from './camera-settings.ts'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, timestampMs, text } from '../wire/envelope.ts'
import { SHARED_ROLE } from '../auth/roles.ts'

/** Owner calls for bridges, cameras and shares. In a separate file, because no page needs them on first load. */

const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60))
const emptyResponse = envelope(200, v.object({}))
/**
 * Options of the write calls below. A call for one camera fails with 403 if the account can see the camera but does not
 * own it, and with 404 if the account cannot see the camera.
 */
const writeOptions = { nonce: true }

/** Creates a single-use enrollment code for the account's own home, and replaces the previous code. */
export const createBridgeCode = call(
  'EXT-bridge-code',
  'POST',
  '/extension/bridge-code',
  'extension',
  {
    request: v.object({}),
    response: envelope(200, v.object({ code: text(40), expires_at: timestampMs })),
  },
  writeOptions,
)

/** Returns the bridges at the homes that the account owns, each with its cameras in these homes. */
export const getBridges = call('EXT-bridges', 'GET', '/extension/bridges', 'extension', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({
      bridges: v.array(
        v.object({
          bridge_id: id,
          name: text(120),
          created_at: timestampMs,
          connected: v.boolean(),
          /** Version of the bridge; null: the bridge never connected. */
          version: v.nullable(text(40)),
          last_seen: v.nullable(timestampMs),
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
  { request: v.object({ bridge_id: id, name }), response: emptyResponse },
  writeOptions,
)
/**
 * Removes the bridge from the account's homes immediately. If no other home uses the bridge, its key becomes invalid.
 * The cameras of the bridge stay listed.
 */
export const revokeBridge = call(
  'EXT-bridge-revoke',
  'POST',
  '/extension/bridge-revoke',
  'extension',
  { request: v.object({ bridge_id: id }), response: emptyResponse },
  writeOptions,
)

/** Switches a camera on or off. An offline bridge gets the new state when it reconnects. */
export const setCameraPower = call(
  'EXT-camera-power',
  'POST',
  '/extension/camera-power',
  'extension',
  { request: v.object({ device_id: deviceId, on: v.boolean() }), response: emptyResponse },
  writeOptions,
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
  { request: v.object({ device_id: deviceId, settings: cameraSettings }), response: emptyResponse },
  writeOptions,
)
/** Previews unsaved motion settings on the last hour. Requires a connected bridge whose version supports previews. */
export const previewMotion = call(
  'EXT-try-motion',
  'POST',
  '/extension/try-motion',
  'extension',
  {
    request: v.object({ device_id: deviceId, settings: cameraSettings }),
    response: envelope(
      200,
      v.variant('state', [
        v.object({ state: v.literal('tried'), ...motionPreview.entries }),
        v.object({ state: v.picklist(['bridge_off', 'no_answer']) }),
      ]),
    ),
  },
  writeOptions,
)
export const renameCamera = call(
  'EXT-camera-rename',
  'POST',
  '/extension/camera-rename',
  'extension',
  { request: v.object({ device_id: deviceId, nickname: name }), response: emptyResponse },
  writeOptions,
)
/** Sorts cameras of one home in the given order. Cameras that are not in the list follow in their previous order. */
export const sortCameras = call(
  'EXT-camera-order',
  'POST',
  '/extension/camera-order',
  'extension',
  {
    request: v.object({ device_ids: v.pipe(v.array(deviceId), v.minLength(1), v.maxLength(99)) }),
    response: emptyResponse,
  },
  writeOptions,
)
/** Removes a camera from its home and from its bridge. */
export const removeCamera = call(
  'EXT-camera-remove',
  'POST',
  '/extension/camera-remove',
  'extension',
  { request: v.object({ device_id: deviceId }), response: emptyResponse },
  writeOptions,
)

/** Link with which an invited person creates an account. `qr`: its QR code, as size in modules and SVG path. */
const handoverLink = v.object({
  url: text(300),
  qr: v.object({ size: v.number(), path: v.string() }),
  expires_at: timestampMs,
})
export type HandoverLink = v.InferOutput<typeof handoverLink>

/**
 * Shares a camera with the account that has this email. Without such an account, stores an invitation and responds in
 * the same way. `all_cameras`: true to share every camera that is in the home of this camera now. 400: that account
 * sees a camera already without a share. 429: too many attempts. `invitation`: link that the owner hands over, for any
 * address, if the provider sends no emails and people may create accounts.
 */
export const shareCamera = call(
  'EXT-share',
  'POST',
  '/extension/share',
  'extension',
  {
    request: v.object({
      device_id: deviceId,
      email: accountEmail,
      role: v.literal(SHARED_ROLE),
      all_cameras: v.optional(v.boolean(), false),
    }),
    response: envelope(200, v.object({ invitation: v.optional(handoverLink) })),
  },
  writeOptions,
)
export const getShares = call('EXT-shares', 'GET', '/extension/shares', 'extension', {
  request: v.object({}),
  response: envelope(
    200,
    v.object({
      shares: v.array(v.object({ device_id: deviceId, email: text(254), role: v.number(), created_at: timestampMs })),
      /**
       * How a person without an account gets an invitation: by `email`, by a `link` that the owner hands over, or `none`.
       * Missing from earlier providers.
       */
      invites: v.optional(v.picklist(['email', 'link', 'none']), 'none'),
    }),
  ),
})
/**
 * Ends a share, or deletes an invitation. The recipient immediately loses live video and updates of the camera. 404:
 * there is neither a share nor an invitation.
 */
export const revokeShare = call(
  'EXT-unshare',
  'POST',
  '/extension/unshare',
  'extension',
  { request: v.object({ device_id: deviceId, email: accountEmail }), response: emptyResponse },
  writeOptions,
)

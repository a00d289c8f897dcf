import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, text } from '../wire/envelope.ts'

/** Device models that the provider supports. A bridge should register one of them as `device_model`. */
export const DEVICE_MODELS = [
  { model: 'PL-CAM-V1', name: 'Camera', dual: false, battery: false, channels: ['web', 'virtual'] },
  { model: 'PL-DUO-V1', name: 'Dual camera', dual: true, battery: false, channels: ['web', 'virtual'] },
  { model: 'PL-BAT-V1', name: 'Battery camera', dual: false, battery: true, channels: ['web', 'virtual'] },
  { model: 'PL-RTSP', name: 'RTSP camera', dual: false, battery: false, channels: ['web', 'rtsp'] },
] as const

const setting = v.object({
  /** Cameras that the live page shows; null or an empty list: all of them. */
  CameraListFilter: v.nullable(v.object({ filterCamerasMac: v.array(deviceId) })),
})

export const getConfAndSetting = call('CALL-32', 'GET', '/platform/v1/conf_and_setting', 'platform', {
  request: v.object({}),
  response: envelope(200, v.object({ conf: v.object({ camera_max: v.number() }), setting })),
})

/**
 * Sets the cameras that the account's live page shows. An empty list shows all. Ids of cameras that the account may not
 * see are dropped.
 */
export const setCameraListFilter = call('CALL-33', 'POST', '/platform/v1/setting/CameraListFilter', 'platform', {
  request: v.object({ filterCamerasMac: v.pipe(v.array(deviceId), v.maxLength(99)) }),
  response: envelope(200, v.object({ filterCamerasMac: v.array(deviceId) })),
})

/** Returns the categories of devices that a channel supports (OPEN-58). */
export const getSupportedDevices = call(
  'CALL-34',
  'GET',
  '/platform/v1/get_support_device_with_category',
  'platform',
  {
    request: v.object({ channel: text(40) }),
    response: envelope(
      200,
      v.array(v.object({ category: text(40), name: text(60), device_models: v.array(text(64)) })),
    ),
  },
  { nonce: true },
)

/**
 * Device model (OPEN-52). `resolutions`: resolutions that the model supports. The stream states the resolution in use.
 */
export const deviceModel = v.object({
  device_model: id,
  name: text(60),
  dual: v.boolean(),
  battery: v.boolean(),
  resolutions: v.array(text(12)),
})
export type DeviceModel = v.InferOutput<typeof deviceModel>

/** Returns device models by group. `channel`: comma-separated channel names; default: every channel. */
export const getDeviceModels = call('CALL-35', 'GET', '/platform/v1/devices', 'platform', {
  request: v.object({ channel: v.optional(text(200)) }),
  response: envelope(200, v.array(v.object({ name: text(60), devices: v.array(deviceModel) }))),
})

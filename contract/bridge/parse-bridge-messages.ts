import * as v from 'valibot'
import { cameraSettings, type CameraSettings, DEFAULT_CAMERA_SETTINGS } from '../cameras/camera-settings.ts'
import {
  bridgeMessage,
  helloCamera,
  helloMessage,
  providerMessage,
  settingsMessage,
  tryMotionMessage,
  watchedCamera,
  watchedMessage,
  welcomeCamera,
  welcomeHome,
  welcomeMessage,
  type BridgeMessage,
  type ProviderMessage,
} from './bridge-protocol.ts'
import { readableArray, readMessage, withDefaults, type LenientParseResult } from '../wire/lenient-parse.ts'

/**
 * Lenient parse of data from other versions. Bridges and provider update independently, so a missing field must not
 * disable a camera, and one unreadable camera must not disable the others.
 */

/** Settings of any version: a missing or unreadable field gets its default. */
export const readableSettings: v.GenericSchema<unknown, CameraSettings> = v.fallback(
  withDefaults(cameraSettings, DEFAULT_CAMERA_SETTINGS),
  DEFAULT_CAMERA_SETTINGS,
)

/** Drops a camera without `power`: the on/off state is never guessed. */
const camera = withDefaults(v.object({ ...welcomeCamera.entries, settings: readableSettings }), {
  nickname: '',
  last_event_ts: null,
  rendition: null,
  pip: false,
})
const home = withDefaults(v.object({ ...welcomeHome.entries, cameras: readableArray(camera) }), { demo: false })
const toBridge = v.variant('type', [
  v.object({
    ...welcomeMessage.entries,
    homes: readableArray(home),
    ice_servers: v.fallback(welcomeMessage.entries.ice_servers, []),
  }),
  v.object({ ...settingsMessage.entries, settings: readableSettings }),
  v.object({ ...tryMotionMessage.entries, settings: readableSettings }),
])

export const readProviderMessage = (text: string): LenientParseResult<ProviderMessage> =>
  readMessage<ProviderMessage>(text, providerMessage, toBridge)

const reportedCamera = withDefaults(helloCamera, { reason: '', since: undefined })
const toProvider = v.variant('type', [
  v.object({
    ...helloMessage.entries,
    version: v.fallback(helloMessage.entries.version, 'unknown'),
    cameras: readableArray(reportedCamera),
    tells_watched: v.fallback(helloMessage.entries.tells_watched, undefined),
  }),
  v.object({ ...watchedMessage.entries, cameras: readableArray(watchedCamera) }),
])

export const readBridgeMessage = (text: string): LenientParseResult<BridgeMessage> =>
  readMessage<BridgeMessage>(text, bridgeMessage, toProvider)

import * as v from 'valibot'
import { cameraSettings, type CameraSettings, DEFAULT_CAMERA_SETTINGS } from '../cameras/camera-settings.ts'
import {
  bridgeMessage,
  helloCamera,
  helloMessage,
  providerMessage,
  settingsMessage,
  motionPreviewMessage,
  welcomeCamera,
  welcomeHome,
  welcomeMessage,
  type BridgeMessage,
  type ProviderMessage,
} from './bridge-protocol.ts'
import { cameraCoverage, coverageMessage } from './detection-coverage.ts'
import { lenientArray, parseMessage, lenientObject, type LenientParseResult } from '../wire/lenient-parse.ts'

/**
 * Parses data of other versions leniently, because bridges and provider update independently. A missing field must not
 * disable a camera, and one unreadable camera must not disable the others.
 */

/** Settings of any version: a missing or unreadable field gets its default. */
export const lenientSettings: v.GenericSchema<unknown, CameraSettings> = v.fallback(
  lenientObject(cameraSettings, DEFAULT_CAMERA_SETTINGS),
  DEFAULT_CAMERA_SETTINGS,
)

/** `power` has no default: a camera without `power` is dropped, because its on/off state must not be guessed. */
const camera = lenientObject(v.object({ ...welcomeCamera.entries, settings: lenientSettings }), {
  nickname: '',
  last_event_ts: null,
  rendition: null,
  pip: false,
})
const home = lenientObject(v.object({ ...welcomeHome.entries, cameras: lenientArray(camera) }), { demo: false })
const lenientProviderMessage = v.variant('type', [
  v.object({
    ...welcomeMessage.entries,
    homes: lenientArray(home),
    ice_servers: v.fallback(welcomeMessage.entries.ice_servers, []),
    confirms_coverage: v.fallback(welcomeMessage.entries.confirms_coverage, undefined),
    stores_thumbnails: v.fallback(welcomeMessage.entries.stores_thumbnails, undefined),
  }),
  v.object({ ...settingsMessage.entries, settings: lenientSettings }),
  v.object({ ...motionPreviewMessage.entries, settings: lenientSettings }),
])

export const parseProviderMessage = (text: string): LenientParseResult<ProviderMessage> =>
  parseMessage<ProviderMessage>(text, providerMessage, lenientProviderMessage)

const lenientHelloCamera = lenientObject(helloCamera, { reason: '', since: undefined })
const lenientBridgeMessage = v.variant('type', [
  v.object({
    ...helloMessage.entries,
    version: v.fallback(helloMessage.entries.version, 'unknown'),
    cameras: lenientArray(lenientHelloCamera),
    tells_watched: v.fallback(helloMessage.entries.tells_watched, undefined),
    last_contact: v.fallback(helloMessage.entries.last_contact, undefined),
  }),
  v.object({
    ...coverageMessage.entries,
    cameras: lenientArray(lenientObject(cameraCoverage, { lag_ms: undefined })),
    settled: v.fallback(coverageMessage.entries.settled, undefined),
  }),
])

export const parseBridgeMessage = (text: string): LenientParseResult<BridgeMessage> =>
  parseMessage<BridgeMessage>(text, bridgeMessage, lenientBridgeMessage)

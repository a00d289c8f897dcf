import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, text } from '../wire/envelope.ts'

/**
 * Calls for adding a camera in the portal. Page and bridge exchange sealed messages
 * (contract/bridge/sealed-channel.ts), which portal and provider forward but cannot open (docs/decisions/0069).
 */

/** Maximum characters of a page's sealed request, and of a bridge's sealed answer, which may contain an image. */
export const SEALED_REQUEST_MAX_CHARS = 3000
export const SEALED_ANSWER_MAX_CHARS = 120_000
/** Raw public key, and nonce of 16 random bytes, in base64url. */
export const sealingKey = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{87}$/))
export const sealingNonce = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22}$/))
// @__NO_SIDE_EFFECTS__
const sealedTextSchema = (max: number) => v.pipe(text(max), v.regex(/^[A-Za-z0-9_-]+$/))
/** Sealed request of a page. The nonce comes from the bridge and is valid for one request. */
export const sealedRequest = v.object({
  nonce: sealingNonce,
  page_key: sealingKey,
  box: sealedTextSchema(SEALED_REQUEST_MAX_CHARS),
})
export type SealedRequest = v.InferOutput<typeof sealedRequest>
export const sealedAnswer = sealedTextSchema(SEALED_ANSWER_MAX_CHARS)

export const createSealingContext = (bridgeId: string, homeId: string): string => `${bridgeId}\n${homeId}`

const camera = {
  address: text(500),
  user: text(120),
  password: text(120),
  /** Address of the sub-stream; '' removes the one that the camera had. */
  sub: v.optional(text(500)),
}
/**
 * Content of a sealed request. `check` changes nothing; `add` stores the camera. `streams` reads the addresses of a
 * stored camera, and `change` replaces them. `brand`: id of the brand, or ''; a page that sends it understands the answer
 * `streams`. `device_id`: stored camera whose login the bridge uses if the request has none.
 */
export const cameraRequest = v.variant('ask', [
  v.object({ ask: v.literal('discover') }),
  v.object({ ask: v.literal('check'), ...camera, brand: v.optional(text(40)), device_id: v.optional(deviceId) }),
  v.object({ ask: v.literal('add'), ...camera, name: v.pipe(text(60), v.trim(), v.minLength(1)) }),
  v.object({ ask: v.literal('streams'), device_id: deviceId }),
  v.object({ ask: v.literal('change'), ...camera, device_id: deviceId }),
])
export type CameraRequest = v.InferOutput<typeof cameraRequest>

export const CHECK_STEPS = ['reachable', 'signed_in', 'picture', 'sound'] as const
export type CheckStep = (typeof CHECK_STEPS)[number]

/**
 * Camera found by network discovery. `address`: URL of the stream; null if the camera reveals the URL only after a
 * login, or never.
 */
export const foundCamera = v.object({
  host: text(80),
  name: text(120),
  address: v.nullable(text(500)),
  asks_for_user: v.boolean(),
  /** Id of the brand, or '' (contract/cameras/camera-brands.ts). */
  brand: v.optional(text(40)),
})
export type FoundCamera = v.InferOutput<typeof foundCamera>

/** Stream of a checked camera. `width`, `height` and `fps` are 0 if unknown. */
const cameraStream = v.object({
  /** RTSP address without a login. */
  address: text(500),
  width: v.number(),
  height: v.number(),
  fps: v.number(),
  /** Reason why the stream does not work; '' if it does, or if it was not tried. */
  problem: text(200),
})
export type CameraStream = v.InferOutput<typeof cameraStream>

/** Streams of one channel of a recorder, or of one lens. `sub`: '' if it has no sub-stream. */
const cameraChannel = v.object({ main: text(500), sub: text(500) })
export type CameraChannel = v.InferOutput<typeof cameraChannel>

/** Content of a sealed answer. `ms`: time since the check began. `over` ends an exchange. */
export const cameraAnswer = v.variant('answer', [
  v.object({
    answer: v.literal('step'),
    step: v.picklist(CHECK_STEPS),
    state: v.picklist(['running', 'done', 'failed']),
    ms: v.number(),
    /** Sentences about the result of the step, such as the reason of a failure; '' if there is nothing to report. */
    words: text(400),
  }),
  /** Frame of the camera: a JPEG, base64. */
  v.object({ answer: v.literal('picture'), jpeg: text(SEALED_ANSWER_MAX_CHARS) }),
  /**
   * Streams that will be stored. Comes again when more is known. `name`: name that the camera has, or ''. `channels`:
   * all channels of a device that has several.
   */
  v.object({
    answer: v.literal('streams'),
    main: cameraStream,
    sub: v.nullable(cameraStream),
    name: text(60),
    brand: text(40),
    channels: v.optional(v.pipe(v.array(cameraChannel), v.maxLength(32))),
  }),
  v.object({ answer: v.literal('found'), cameras: v.pipe(v.array(foundCamera), v.maxLength(32)), words: text(400) }),
  v.object({ answer: v.literal('added'), device_id: deviceId }),
  /** Addresses of a stored camera, without login. `sub`: '' if it has no sub-stream. */
  v.object({ answer: v.literal('stored'), main: text(500), sub: text(500) }),
  /** `words`: reason why the bridge could not execute the request; '' otherwise, even after a failed check. */
  v.object({ answer: v.literal('over'), words: text(400) }),
])
export type CameraAnswer = v.InferOutput<typeof cameraAnswer>

const writeOptions = { nonce: true }
/**
 * Returns key and nonce of a bridge at the account's own home: of the bridge with camera `device_id`, otherwise
 * preferably of a connected bridge. In a local deployment,
 * a home without a bridge gets the bridge of the provider's machine. `demo`: no key, because the account is a public
 * demo account. 403: no own home. 429: rate limit.
 */
export const getBridgeSealingKey = call(
  'EXT-camera-door',
  'POST',
  '/extension/camera-door',
  'extension',
  {
    request: v.object({ device_id: v.optional(deviceId) }),
    response: envelope(
      200,
      v.variant('state', [
        v.object({
          state: v.literal('open'),
          bridge_id: id,
          home_id: id,
          name: text(120),
          key: sealingKey,
          nonce: sealingNonce,
        }),
        /**
         * `bridge_off`: the bridge is not connected. `no_answer`: the bridge did not respond; its version may be too
         * old.
         */
        v.object({ state: v.picklist(['bridge_off', 'no_answer']), name: text(120) }),
        v.object({ state: v.picklist(['no_bridge', 'demo']) }),
      ]),
    ),
  },
  writeOptions,
)

/**
 * Forwards a sealed request to the bridge. 404: the bridge does not serve the account's own home. 409: the bridge is
 * not connected. 403: no own home, or the account is a public demo account. 429: rate limit, or too many open requests.
 */
export const forwardSealedRequest = call(
  'EXT-camera-ask',
  'POST',
  '/extension/camera-ask',
  'extension',
  {
    request: v.object({ bridge_id: id, sealed: sealedRequest }),
    response: envelope(200, v.object({ ask_id: id })),
  },
  writeOptions,
)

export const ANSWERS_WAIT_MS = 5000
/**
 * Returns the sealed answers from index `after`. If there are none yet, first waits for an answer, at most
 * `ANSWERS_WAIT_MS`. `over`: no more answers will follow. 404: the request is unknown or has expired.
 */
export const readSealedAnswers = call(
  'EXT-camera-answers',
  'POST',
  '/extension/camera-answers',
  'extension',
  {
    request: v.object({ bridge_id: id, ask_id: id, after: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    response: envelope(200, v.object({ boxes: v.array(sealedAnswer), over: v.boolean() })),
  },
  writeOptions,
)

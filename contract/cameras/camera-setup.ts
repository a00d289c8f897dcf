import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, text } from '../wire/envelope.ts'

/**
 * How the owner of a home adds a camera in the page. What is asked and answered is between the page and the bridge
 * (contract/bridge/sealed-channel.ts): portal and provider pass on boxes that they cannot open (docs/decisions/0069).
 */

/** Characters of a box that a page sends, and of one that a bridge answers, which may hold a picture. */
export const ASK_BOX_MAX = 3000
export const ANSWER_BOX_MAX = 120_000
/** Base64url of a raw public key, and of 16 random bytes. */
export const sealingKey = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{87}$/))
export const sealingNonce = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{22}$/))
// @__NO_SIDE_EFFECTS__
const boxSchema = (max: number) => v.pipe(text(max), v.regex(/^[A-Za-z0-9_-]+$/))
/** A page's box with what the bridge needs to open it; the nonce is the bridge's, and good for one box. */
export const sealedAsk = v.object({ nonce: sealingNonce, page_key: sealingKey, box: boxSchema(ASK_BOX_MAX) })
export type SealedAsk = v.InferOutput<typeof sealedAsk>
export const answerBox = boxSchema(ANSWER_BOX_MAX)

/** What bridge and page must mean alike. */
export const sealingContext = (bridgeId: string, homeId: string): string => `${bridgeId}\n${homeId}`

const camera = { address: text(500), user: text(120), password: text(120) }
/** What a box of the page holds. `check` changes nothing; `add` keeps the camera. */
export const cameraAsk = v.variant('ask', [
  v.object({ ask: v.literal('discover') }),
  v.object({ ask: v.literal('check'), ...camera }),
  v.object({ ask: v.literal('add'), ...camera, name: v.pipe(text(60), v.trim(), v.minLength(1)) }),
])
export type CameraAsk = v.InferOutput<typeof cameraAsk>

export const CHECK_STEPS = ['reachable', 'signed_in', 'picture', 'sound'] as const
export type CheckStep = (typeof CHECK_STEPS)[number]

/** A camera that answered in the network; `address` null: it tells its streams to its users only, or not at all. */
export const foundCamera = v.object({
  host: text(80),
  name: text(120),
  address: v.nullable(text(500)),
  asks_for_user: v.boolean(),
})
export type FoundCamera = v.InferOutput<typeof foundCamera>

/** What a box of the bridge holds. `ms`: since the check began. The last of an exchange is `over`. */
export const cameraAnswer = v.variant('answer', [
  v.object({
    answer: v.literal('step'),
    step: v.picklist(CHECK_STEPS),
    state: v.picklist(['running', 'done', 'failed']),
    ms: v.number(),
    /** One sentence; what to do where it has failed. */
    words: text(400),
  }),
  /** What the camera shows: a JPEG, base64. */
  v.object({ answer: v.literal('picture'), jpeg: text(ANSWER_BOX_MAX) }),
  v.object({ answer: v.literal('found'), cameras: v.pipe(v.array(foundCamera), v.maxLength(32)), words: text(400) }),
  v.object({ answer: v.literal('added'), device_id: deviceId }),
  /** `words`: why it was not done; empty: it was. */
  v.object({ answer: v.literal('over'), words: text(400) }),
])
export type CameraAnswer = v.InferOutput<typeof cameraAnswer>

const write = { nonce: true }
/**
 * Asks the bridge of the account's own home for its key and a nonce. A home without one gets the bridge of this machine, where
 * portal and provider are reached at this machine only. `demo`: everybody may sign in as this account, and not from this
 * machine only. 403 without a home of one's own, 429 when asked too often.
 */
export const openCameraDoor = call(
  'EXT-camera-door',
  'POST',
  '/extension/camera-door',
  'extension',
  {
    request: v.object({}),
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
        /** It is not connected, or too old to answer. */
        v.object({ state: v.picklist(['bridge_off', 'no_answer']), name: text(120) }),
        v.object({ state: v.picklist(['no_bridge', 'demo']) }),
      ]),
    ),
  },
  write,
)

/** Passes a box on. 404: no bridge of the account's own home; 409: it is not connected; 403 and 429 as above. */
export const askBridge = call(
  'EXT-camera-ask',
  'POST',
  '/extension/camera-ask',
  'extension',
  {
    request: v.object({ bridge_id: id, sealed: sealedAsk }),
    response: envelope(200, v.object({ ask_id: id })),
  },
  write,
)

/** How long the answers of a bridge are waited for, ms. */
export const ANSWERS_WAIT_MS = 5000
/**
 * The answers from the `after`th on, as soon as there is one, and none after `ANSWERS_WAIT_MS`. `over`: these are the last.
 * 404: nobody asked that, or the answers are gone, as a minute after the last.
 */
export const readAnswers = call(
  'EXT-camera-answers',
  'POST',
  '/extension/camera-answers',
  'extension',
  {
    request: v.object({ bridge_id: id, ask_id: id, after: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
    response: envelope(200, v.object({ boxes: v.array(answerBox), over: v.boolean() })),
  },
  write,
)

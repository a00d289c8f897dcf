import * as v from 'valibot'
import { paymentMethod } from './payment-methods-and-invoices.ts'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, timestampMs, text } from '../wire/envelope.ts'
import { idempotencyKey } from './money.ts'
import { SKUS } from './skus.ts'

/** Payment calls that have no CALL row in the requirements, and the edge's own routes under `/api/payment`. */

/** Proof from the browser in which the card was entered. Single-use, valid until the card page expires. */
const returnProof = text(64)
/**
 * Error code if the returning browser did not open the card page for this account, or the card was entered in another
 * browser. Nothing was stored or charged.
 */
export const CARD_ELSEWHERE_CODE = 'card_elsewhere'

export const CARD_TICKET_LIFETIME_MS = 600_000

/**
 * Opens the card page. Only the edge makes this call, for `/api/payment/start`, and stores `session_id` in an encrypted
 * cookie of the browser. The card page shows the purchase of `quote`, or the unpaid amount of `subscription_id`.
 */
export const openCardSession = call(
  'EXT-card-session',
  'POST',
  '/extension/card-session',
  'extension',
  {
    request: v.object({ quote: v.optional(text(6000)), subscription_id: v.optional(id) }),
    response: envelope(200, v.object({ session_id: id, url: text(2048) })),
  },
  { via: 'edge' },
)

/**
 * Adds the entered card to the account. Only the edge makes this call, for `/api/payment/return`, with the `session_id`
 * from the encrypted cookie of the browser. 409 `CARD_ELSEWHERE_CODE`: `proof` (from the return URL) is missing or
 * wrong. 409 with code 4226: the card page saved no method, or the session belongs to another account.
 */
export const confirmCardSession = call(
  'EXT-card-confirm',
  'POST',
  '/extension/card-confirm',
  'extension',
  {
    request: v.object({ session_id: id, proof: v.optional(returnProof) }),
    response: envelope(200, v.object({ method: paymentMethod })),
  },
  { via: 'edge' },
)

/**
 * `POST /api/payment/start`: opens the card page. `return_to`: path of the portal to show afterwards; `quote`: the
 * purchase; `subscription_id`: the subscription whose failed charge the card will pay. The edge stores the card session
 * in an encrypted cookie of this browser.
 */
export const startPaymentRequest = v.object({
  return_to: text(1024),
  quote: v.optional(text(6000)),
  subscription_id: v.optional(id),
})
/**
 * `url`: URL of the card page. A URL of the embedded gateway works only once, and expires after
 * `CARD_TICKET_LIFETIME_MS`.
 */
export const startPaymentResponse = v.object({ code: v.literal(200), url: text(2048) })
/** `proof`: from the fragment of the return URL. Optional, because some payment gateways cannot add one. */
export const finishPaymentRequest = v.object({ proof: v.optional(returnProof) })
/**
 * `POST /api/payment/return`: adds the entered card to the account. `CARD_ELSEWHERE_CODE`: 403 for the wrong browser or
 * account, 409 for a missing or wrong proof. Error 4226 (409): no payment method was saved.
 */
export const finishPaymentResponse = v.object({ code: v.literal(200), method: paymentMethod, return_to: text(1024) })

/** Values of `payment` in the card page's return URL: saved, closed without a card, or a code of the error catalog. */
export const CARD_RETURN_CODES = { saved: '200', closed: 'closed' } as const
/** Fragment parameter that carries the proof after a card was saved. */
export const RETURN_PROOF_PARAMETER = 'proof'
export const CARD_RETURN_PATH = '/account/payment'

const methods = envelope(200, v.object({ methods: v.array(paymentMethod) }))

export const choosePaymentMethod = call(
  'EXT-choose-method',
  'POST',
  '/extension/choose-method',
  'extension',
  { request: v.object({ method_id: id, intent: idempotencyKey }), response: methods },
  { nonce: true },
)

/**
 * Removes a payment method. Fails with 4226 if a plan that renews would be left without a valid payment method. A plan
 * in the free months of a coupon does not count.
 */
export const removeMethod = call(
  'EXT-remove-method',
  'POST',
  '/extension/remove-method',
  'extension',
  { request: v.object({ method_id: id, intent: idempotencyKey }), response: methods },
  { nonce: true },
)

/**
 * Simulates each plan on the last 30 days of the account's own homes, or on fewer days if the history is shorter. For
 * each plan, counts the clips that the plan would have kept, and the account's recent searches that would have had a
 * match.
 */
export const simulatePlans = call(
  'EXT-plan-truth',
  'POST',
  '/extension/plan-truth',
  'extension',
  {
    request: v.object({}),
    response: envelope(
      200,
      v.object({
        days: v.number(),
        from: timestampMs,
        to: timestampMs,
        cameras: v.number(),
        clips: v.number(),
        searches: v.number(),
        plans: v.array(
          v.object({
            sku: v.picklist(SKUS),
            cameras: v.number(),
            /** True for the highest plan that the account has. */
            is_own: v.boolean(),
            kept: v.number(),
            lost: v.number(),
            /** Number of searches that would have had a match; null: the plan has no search. */
            found: v.nullable(v.number()),
          }),
        ),
        /** Clips of each camera that Camera AI would have kept, and those without a plan for the camera. */
        camera_clips: v.optional(
          v.array(v.object({ device_id: deviceId, with_plan: v.number(), without_plan: v.number() })),
          [],
        ),
      }),
    ),
  },
  { nonce: true },
)

import * as v from 'valibot'
import { paymentMethod } from './payment-methods-and-invoices.ts'
import { call } from '../wire/call.ts'
import { envelope, id, ms, text } from '../wire/envelope.ts'
import { intentKey } from './money.ts'
import { SKUS } from './skus.ts'

/** Calls about payment that no row CALL names, and the edge's own routes under `/api/payment`. */

/** Proof of the browser that typed the card: once, and as long as the card page is open. */
const returnProof = text(64)
/** Code of a return in another browser than the one that typed the card: nothing was stored or charged. */
export const CARD_ELSEWHERE = 'card_elsewhere'

/** A ticket of the card page is good for so long, and once. */
export const CARD_TICKET_MS = 600_000

/**
 * Opens the page on which a card is typed. The edge alone asks this (`/api/payment/start`) and keeps `session_id` sealed in
 * the browser that began. `quote`: what the card is for, shown there.
 */
export const openCardSession = call(
  'EXT-card-session',
  'POST',
  '/extension/card-session',
  'extension',
  {
    request: v.object({ quote: v.optional(text(6000)) }),
    response: envelope(200, v.object({ session_id: id, url: text(2048) })),
  },
  { via: 'edge' },
)

/**
 * Takes what was typed into the account; asked by the edge with what the browser has kept (`/api/payment/return`). `proof`: from
 * the return address. 409 with `CARD_ELSEWHERE` without the right one.
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
 * `POST /api/payment/start`: opens the card page. `return_to`: path of this portal that is to be shown afterwards; `quote`: what
 * the card is for. The edge keeps sealed in this browser what it has begun.
 */
export const startPaymentRequest = v.object({ return_to: text(1024), quote: v.optional(text(6000)) })
/** `url`: the card page, to be gone to at once: it opens once, and within `CARD_TICKET_MS`. */
export const startPaymentAnswer = v.object({ code: v.literal(200), url: text(2048) })
/** `proof`: from the fragment of the return address; a gateway whose page cannot issue one needs none. */
export const finishPaymentRequest = v.object({ proof: v.optional(returnProof) })
/**
 * `POST /api/payment/return`: what the browser has come back with from the card page is taken into the account. `CARD_ELSEWHERE`
 * with 403 in a browser that has not begun, or as somebody else, and with 409 without the proof; 409 with 4226 where no method
 * was saved.
 */
export const finishPaymentAnswer = v.object({ code: v.literal(200), method: paymentMethod, return_to: text(1024) })

/** Values of `payment` in the card page's return: saved, left without a card, or a code of the catalogue. */
export const CARD_RETURNS = { saved: '200', closed: 'closed' } as const
/** Parameter in the fragment of a return that saved a card: the proof. */
export const RETURN_PROOF = 'proof'
/** Where the card page returns to. */
export const CARD_RETURN_PATH = '/account/payment'

const methods = envelope(200, v.object({ methods: v.array(paymentMethod) }))

/** Makes a method the default one. */
export const chooseMethod = call(
  'EXT-choose-method',
  'POST',
  '/extension/choose-method',
  'extension',
  { request: v.object({ method_id: id, intent: intentKey }), response: methods },
  { nonce: true },
)

/** Takes a method away. Refused with 4226 while it is the only one that pays a running plan. */
export const removeMethod = call(
  'EXT-remove-method',
  'POST',
  '/extension/remove-method',
  'extension',
  { request: v.object({ method_id: id, intent: intentKey }), response: methods },
  { nonce: true },
)

/** What each plan would have kept and found of the home's own last days (`days`: as many as there are, 30 at most). */
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
        from: ms,
        to: ms,
        cameras: v.number(),
        clips: v.number(),
        searches: v.number(),
        plans: v.array(
          v.object({
            sku: v.picklist(SKUS),
            /** Cameras that it would cover. */
            cameras: v.number(),
            /** Whether this is what the account has now. */
            is_own: v.boolean(),
            kept: v.number(),
            lost: v.number(),
            /** Searches that would have found something; null: no search. */
            found: v.nullable(v.number()),
          }),
        ),
      }),
    ),
  },
  { nonce: true },
)

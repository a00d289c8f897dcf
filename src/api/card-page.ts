import type { InferOutput } from 'valibot'
import { PAGE_CALL_TIMEOUT_MS } from '../../contract/wire/constants.ts'
import { finishPaymentAnswer, startPaymentAnswer } from '../../contract/billing/payment-calls.ts'
import { callEdge, writing } from './edge-request.ts'
import type { Result } from './result.ts'

export const PAYMENT_PATH = '/api/payment'

/**
 * Starts a card page session for this account and returns the URL of the card page. `returnTo`: path to show after the
 * return; `quote`: purchase that the card page shows.
 */
export const startPayment = (
  returnTo: string,
  quote?: string,
): Promise<Result<InferOutput<typeof startPaymentAnswer>>> =>
  callEdge(
    `${PAYMENT_PATH}/start`,
    writing({ return_to: returnTo, ...(quote !== undefined && { quote }) }),
    startPaymentAnswer,
    PAGE_CALL_TIMEOUT_MS,
  )

/**
 * Adds the payment method to the account, after the return from the card page with `payment=200`. `proof`: from the
 * return URL.
 */
export const finishPayment = (proof: string | null): Promise<Result<InferOutput<typeof finishPaymentAnswer>>> =>
  callEdge(
    `${PAYMENT_PATH}/return`,
    writing({ ...(proof !== null && { proof }) }),
    finishPaymentAnswer,
    PAGE_CALL_TIMEOUT_MS,
  )

import type { InferOutput } from 'valibot'
import { API_CALL_TIMEOUT_MS } from '../../contract/wire/constants.ts'
import { finishPaymentResponse, startPaymentResponse } from '../../contract/billing/payment-calls.ts'
import { callEdge, jsonPostInit } from './edge-request.ts'
import type { Result } from './result.ts'

export const PAYMENT_PATH = '/api/payment'

/**
 * Opens a card session for this account and returns the URL of the card page. `returnTo`: path that opens after the
 * card page. `purpose`: quote of the purchase, or subscription with a failed charge, that the card page shows.
 */
export const startPayment = (
  returnTo: string,
  purpose: { quote?: string; subscription_id?: string } = {},
): Promise<Result<InferOutput<typeof startPaymentResponse>>> =>
  callEdge(
    `${PAYMENT_PATH}/start`,
    jsonPostInit({ return_to: returnTo, ...purpose }),
    startPaymentResponse,
    API_CALL_TIMEOUT_MS,
  )

/**
 * Adds the payment method to the account after the card page has returned with `payment=200`. `proof`: value from the
 * fragment of the return URL; null if the payment gateway added none.
 */
export const finishPayment = (proof: string | null): Promise<Result<InferOutput<typeof finishPaymentResponse>>> =>
  callEdge(
    `${PAYMENT_PATH}/return`,
    jsonPostInit({ ...(proof !== null && { proof }) }),
    finishPaymentResponse,
    API_CALL_TIMEOUT_MS,
  )

import type { InferOutput } from 'valibot'
import { PAGE_CALL_TIMEOUT_MS } from '../../contract/wire/constants.ts'
import { finishPaymentAnswer, startPaymentAnswer } from '../../contract/billing/payment-calls.ts'
import { callEdge, writing } from './edge-request.ts'
import type { Result } from './result.ts'

export const PAYMENT_PATH = '/api/payment'

/**
 * Opens the card page for this account: where to go to. `returnTo`: the path to show after the return; `quote`: what the card is
 * for, shown there.
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

/** After the return from the card page with `payment=200`: takes the method into the account. `proof`: from that address. */
export const finishPayment = (proof: string | null): Promise<Result<InferOutput<typeof finishPaymentAnswer>>> =>
  callEdge(
    `${PAYMENT_PATH}/return`,
    writing({ ...(proof !== null && { proof }) }),
    finishPaymentAnswer,
    PAGE_CALL_TIMEOUT_MS,
  )

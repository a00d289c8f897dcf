import type { Refused } from './ledger-calls.ts'

/** A refusal, after which nothing has changed. */
export function refuse(
  code: Refused['code'],
  status: Refused['status'],
  msg?: string,
  data?: Refused['data'],
): Refused {
  return { state: 'refused', code, status, ...(msg !== undefined && { msg }), ...(data !== undefined && { data }) }
}

export const isRefused = (answer: unknown): answer is Refused =>
  typeof answer === 'object' && answer !== null && 'state' in answer && answer.state === 'refused'

export const intentUsed = () => refuse('intent', 422, 'This was already used for something else. Please try again.')
export const busy = () => refuse('busy', 409, 'Another purchase of this account is still under way.')
export const accountGone = () => refuse(404, 404, 'This account is gone. Nothing was charged.')
export const otherCurrency = () =>
  refuse('currency', 409, "This account's plans are in another currency. Nothing was charged. Please contact support.")
export const gatewayDown = () => refuse('gateway', 503, 'The bank could not be asked. Nothing was charged.')

import type { LeasedEmail, EmailOutcome } from '../../../contract/account/email-delivery.ts'

/** Result of one delivery attempt. The provider retries a `failed` email, but not a `refused` one. */
export type DeliveryResult = Pick<EmailOutcome, 'outcome' | 'why'>

/**
 * Delivers emails at least once. The caller retries an email with the same `message_id` if the delivery was not
 * confirmed.
 */
export interface EmailTransport {
  send(mail: LeasedEmail): Promise<DeliveryResult>
}

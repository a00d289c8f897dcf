import type { LeasedEmail, EmailOutcome } from '../../../contract/account/email-delivery.ts'

/** Result of one delivery attempt. A `failed` email is retried later; a `refused` email is not. */
export type DeliveryResult = Pick<EmailOutcome, 'outcome' | 'why'>

/**
 * Delivers emails at least once. The caller sends an email again with the same `message_id` if the delivery was not
 * acknowledged.
 */
export interface EmailTransport {
  send(mail: LeasedEmail): Promise<DeliveryResult>
}

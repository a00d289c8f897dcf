import type { Mail, MailOutcome } from '../../../contract/account/email-delivery.ts'

/** Result of one delivery attempt: `failed` is retried later, `refused` is final. */
export type DeliveryResult = Pick<MailOutcome, 'outcome' | 'why'>

/** Delivers emails at least once: without an acknowledgment, the same `message_id` is sent again. */
export interface EmailTransport {
  send(mail: Mail): Promise<DeliveryResult>
}

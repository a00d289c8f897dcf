import type { LeasedEmail } from '../../../contract/account/email-delivery.ts'
import type { DeliveryResult, EmailTransport } from './delivery.ts'

const REQUEST_TIMEOUT_MS = 20_000
/**
 * HTTP statuses for an invalid email, which a retry cannot fix. The operator can fix other errors, such as a wrong API
 * key.
 */
const PERMANENT_ERROR_STATUSES = [400, 413, 422]

const formatSender = ({ from, from_name }: LeasedEmail) => `${JSON.stringify(from_name)} <${from}>`

export const toApiBody = (mail: LeasedEmail) => ({
  from: formatSender(mail),
  to: [mail.to],
  reply_to: mail.reply_to,
  subject: mail.subject,
  html: mail.html,
  text: mail.text,
  headers: Object.fromEntries(mail.headers.map(({ name, value }) => [name, value])),
})

/**
 * Creates a transport that posts each email as JSON. The message id is the idempotency key, so the API does not send a
 * retried email twice.
 */
export function createApiTransport({ url, key }: { url: string; key: string }, fetcher: typeof fetch): EmailTransport {
  const post = async (mail: LeasedEmail): Promise<DeliveryResult> => {
    const response = await fetcher(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': mail.message_id,
      },
      body: JSON.stringify(toApiBody(mail)),
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (response.ok) return { outcome: 'sent', why: '' }
    return {
      outcome: PERMANENT_ERROR_STATUSES.includes(response.status) ? 'refused' : 'failed',
      why: `answered ${response.status}`,
    }
  }
  return {
    send: (mail) =>
      post(mail).catch((error: unknown) => ({
        outcome: 'failed' as const,
        why: error instanceof Error ? error.name : 'no answer',
      })),
  }
}

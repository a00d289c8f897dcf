import type { Mail } from '../../../contract/account/email-delivery.ts'
import type { DeliveryResult, EmailTransport } from './delivery.ts'

const PATIENCE_MS = 20_000
/**
 * Statuses that a retry does not fix, because the email itself is wrong. A wrong API key or sender can still be
 * corrected.
 */
const REFUSED = [400, 413, 422]

const namedAddress = ({ from, from_name }: Mail) => `${JSON.stringify(from_name)} <${from}>`

export const apiBody = (mail: Mail) => ({
  from: namedAddress(mail),
  to: [mail.to],
  reply_to: mail.reply_to,
  subject: mail.subject,
  html: mail.html,
  text: mail.text,
  headers: Object.fromEntries(mail.headers.map(({ name, value }) => [name, value])),
})

/** Sends each email as JSON. The message id is the idempotency key, so the API recognizes a retry. */
export function apiTransport({ url, key }: { url: string; key: string }, fetcher: typeof fetch): EmailTransport {
  const post = async (mail: Mail): Promise<DeliveryResult> => {
    const answer = await fetcher(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': mail.message_id,
      },
      body: JSON.stringify(apiBody(mail)),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await answer.body?.cancel()
    if (answer.ok) return { outcome: 'sent', why: '' }
    return { outcome: REFUSED.includes(answer.status) ? 'refused' : 'failed', why: `answered ${answer.status}` }
  }
  return {
    send: (mail) =>
      post(mail).catch((error: unknown) => ({
        outcome: 'failed' as const,
        why: error instanceof Error ? error.name : 'no answer',
      })),
  }
}

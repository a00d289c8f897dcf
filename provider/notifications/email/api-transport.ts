import type { Mail } from '../../../contract/account/email-delivery.ts'
import type { DeliveryResult, Transport } from './delivery.ts'

const PATIENCE_MS = 20_000
/** What another try does not mend: the mail itself is wrong. A key or an address of ours that is wrong may be mended. */
const REFUSED = [400, 413, 422]

const namedAddress = ({ from, from_name }: Mail) => `${JSON.stringify(from_name)} <${from}>`

/** The mail as mail APIs take it. */
export const apiBody = (mail: Mail) => ({
  from: namedAddress(mail),
  to: [mail.to],
  reply_to: mail.reply_to,
  subject: mail.subject,
  html: mail.html,
  text: mail.text,
  headers: Object.fromEntries(mail.headers.map(({ name, value }) => [name, value])),
})

/** Posts each mail as JSON, with an idempotency key by which one that came before is known again. */
export function apiTransport({ url, key }: { url: string; key: string }, fetcher: typeof fetch): Transport {
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

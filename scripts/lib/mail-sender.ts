import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { EMAIL_SEND_START_MS, leasedEmailsResponse, type EmailOutcome } from '../../contract/account/email-delivery.ts'
import { callOperator, type OperatorCredentials } from './operator.ts'
import type { SmtpSender } from './smtp.ts'

/**
 * Fetches waiting emails from the provider, sends them one by one, and returns the outcomes. Sends no further email
 * after `EMAIL_SEND_START_MS`. Reports each outcome to the provider immediately, so that a crash duplicates at most one
 * email.
 */
export async function sendWaitingMails(
  provider: OperatorCredentials,
  smtp: Pick<SmtpSender, 'send'>,
): Promise<EmailOutcome[]> {
  const startedAt = Date.now()
  const { mails } = v.parse(
    leasedEmailsResponse,
    await callOperator(provider, 'POST', `${ADMIN_PATHS.mails}/take`),
  ).data
  const outcomes: EmailOutcome[] = []
  for (const mail of mails) {
    if (Date.now() - startedAt > EMAIL_SEND_START_MS) break
    const outcome = await smtp.send(mail)
    await callOperator(provider, 'POST', `${ADMIN_PATHS.mails}/done`, { outcomes: [outcome] })
    outcomes.push(outcome)
  }
  return outcomes
}

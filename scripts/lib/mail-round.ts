import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { SENDING_MS, takenMails, type MailOutcome } from '../../contract/account/email-delivery.ts'
import { callOperator, type Operator } from './operator.ts'
import type { Smtp } from './smtp.ts'

/**
 * Fetches the waiting emails from the provider, sends them in sequence, and reports each outcome immediately: a killed
 * process sends at most one email twice. Returns the outcomes, empty if no email was waiting.
 */
export async function mailRound(provider: Operator, smtp: Pick<Smtp, 'send'>): Promise<MailOutcome[]> {
  const startedAt = Date.now()
  const { mails } = v.parse(takenMails, await callOperator(provider, 'POST', `${ADMIN_PATHS.mails}/take`)).data
  const outcomes: MailOutcome[] = []
  for (const mail of mails) {
    if (Date.now() - startedAt > SENDING_MS) break
    const outcome = await smtp.send(mail)
    await callOperator(provider, 'POST', `${ADMIN_PATHS.mails}/done`, { outcomes: [outcome] })
    outcomes.push(outcome)
  }
  return outcomes
}

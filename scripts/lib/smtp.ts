import { createTransport } from 'nodemailer'
import { emailAddress, type LeasedEmail, type EmailOutcome } from '../../contract/account/email-delivery.ts'
import * as v from 'valibot'
import { parseSmtpUrl } from './smtp-options.ts'

const CONNECT_TIMEOUT_MS = 10_000
const SOCKET_TIMEOUT_MS = 20_000

export interface SmtpSender {
  send(mail: LeasedEmail): Promise<EmailOutcome>
  close(): void
}

/** Returns the Message-ID by which receivers recognize a duplicate email. */
export const formatMessageId = ({ message_id, from }: Pick<LeasedEmail, 'message_id' | 'from'>): string =>
  `<${message_id}@${from.split('@')[1] ?? 'localhost'}>`

interface SmtpFailure {
  readonly responseCode?: number
  readonly command?: string
  readonly code?: string
}

/**
 * Returns true if the mail server has rejected this email permanently. The mailer retries after all other failures,
 * such as an unreachable server or a wrong password.
 */
function isPermanentFailure({ responseCode = 0, command = '' }: SmtpFailure): boolean {
  return responseCode >= 500 && responseCode < 600 && ['RCPT TO', 'DATA'].includes(command)
}

function toOutcome(mail: LeasedEmail, error: unknown): EmailOutcome {
  const { message_id } = mail
  const failure = (error ?? {}) as SmtpFailure
  const why = [failure.code ?? 'failed', failure.command ?? '', failure.responseCode ?? '']
    .join(' ')
    .trim()
    .slice(0, 300)
  return { message_id, outcome: isPermanentFailure(failure) ? 'refused' : 'failed', why }
}

/**
 * Creates a sender for the mail server at `smtpUrl`. Each email goes to exactly one address without a display name.
 * Content is never read from files or URLs.
 */
export function openSmtp(smtpUrl: string): SmtpSender {
  const transport = createTransport({
    ...parseSmtpUrl(smtpUrl),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const send = async (mail: LeasedEmail): Promise<EmailOutcome> => {
    const [from, to] = [v.parse(emailAddress, mail.from), v.parse(emailAddress, mail.to)]
    try {
      await transport.sendMail({
        messageId: formatMessageId(mail),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        from: { name: mail.from_name, address: from },
        to: { name: '', address: to },
        replyTo: mail.reply_to,
        envelope: { from, to: [to] },
        headers: mail.headers.map(({ name, value }) => ({ key: name, value })),
      })
      return { message_id: mail.message_id, outcome: 'sent', why: '' }
    } catch (error) {
      return toOutcome(mail, error)
    }
  }
  return { send, close: () => transport.close() }
}

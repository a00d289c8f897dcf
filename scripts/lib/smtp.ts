import { createTransport } from 'nodemailer'
import { bareAddress, type Mail, type MailOutcome } from '../../contract/account/email-delivery.ts'
import * as v from 'valibot'
import { smtpOptions } from './smtp-options.ts'

const CONNECT_MS = 10_000
const SILENT_MS = 20_000

export interface Smtp {
  send(mail: Mail): Promise<MailOutcome>
  close(): void
}

/** Returns the Message-ID by which receivers recognize a duplicate email. */
export const formatMessageId = ({ message_id, from }: Pick<Mail, 'message_id' | 'from'>): string =>
  `<${message_id}@${from.split('@')[1] ?? 'localhost'}>`

interface Failure {
  readonly responseCode?: number
  readonly command?: string
  readonly code?: string
}

/**
 * Returns true if the mail server rejects this email permanently. Other failures, such as an unreachable server or a
 * wrong password, can be fixed.
 */
function isRefused({ responseCode = 0, command = '' }: Failure): boolean {
  return responseCode >= 500 && responseCode < 600 && ['RCPT TO', 'DATA'].includes(command)
}

function toOutcome(mail: Mail, error: unknown): MailOutcome {
  const { message_id } = mail
  const failure = (error ?? {}) as Failure
  const why = [failure.code ?? 'failed', failure.command ?? '', failure.responseCode ?? '']
    .join(' ')
    .trim()
    .slice(0, 300)
  return { message_id, outcome: isRefused(failure) ? 'refused' : 'failed', why }
}

/**
 * Creates a sender for the mail server at `address`. Each email goes to exactly one address without a display name.
 * Content is never read from files or URLs.
 */
export function openSmtp(address: string): Smtp {
  const transport = createTransport({
    ...smtpOptions(address),
    ...{ connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENT_MS, dnsTimeout: CONNECT_MS },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  const send = async (mail: Mail): Promise<MailOutcome> => {
    const [from, to] = [v.parse(bareAddress, mail.from), v.parse(bareAddress, mail.to)]
    try {
      await transport.sendMail({
        ...{ messageId: formatMessageId(mail), subject: mail.subject, text: mail.text, html: mail.html },
        ...{ from: { name: mail.from_name, address: from }, to: { name: '', address: to }, replyTo: mail.reply_to },
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

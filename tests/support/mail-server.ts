import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { findFreePort } from '../../scripts/lib/ports.ts'

export interface ReceivedEmail {
  readonly from: string
  readonly to: readonly string[]
  readonly user: string | undefined
  readonly header: (name: string) => string | undefined
  readonly source: string
}

/** Local SMTP server. `rejection` makes it reject emails. `stop` and `start` restart it on the same port. */
export class MailServer {
  readonly receivedEmails: ReceivedEmail[] = []
  /**
   * SMTP code with which the server rejects emails, and the command that it rejects. null: the server accepts emails.
   */
  rejection: { readonly code: number; readonly at: 'RCPT' | 'DATA' } | null = null
  #server: SMTPServer | null = null
  port = 0

  async start(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      onAuth: ({ username, password }, _session, done) =>
        password === 'secret of a test' ? done(null, { user: username }) : done(new Error('wrong')),
      onRcptTo: (_address, _session, done) => done(this.#createRejection('RCPT')),
      onData: (stream, session, done) => {
        void text(stream).then((source) => {
          const rejection = this.#createRejection('DATA')
          if (!rejection) this.receivedEmails.push(parseEmail(source, session))
          done(rejection)
        })
      },
    })
    // `findFreePort` avoids the ports of outgoing connections, so the port is still free for a restart.
    if (this.port === 0) this.port = await findFreePort()
    await new Promise<void>((resolve, reject) => {
      // Tests break connections on purpose. After the server listens, `reject` has no effect, so this listener ignores
      // later errors.
      server.on('error', reject)
      server.listen(this.port, '127.0.0.1', resolve)
    })
    this.#server = server
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()))
    this.#server = null
  }

  #createRejection(at: 'RCPT' | 'DATA'): (Error & { responseCode: number }) | null {
    const { rejection } = this
    return rejection?.at === at ? Object.assign(new Error('refused'), { responseCode: rejection.code }) : null
  }
}

interface SmtpSession {
  readonly user?: unknown
  readonly envelope: { readonly mailFrom: unknown; readonly rcptTo: readonly { readonly address: string }[] }
}

function parseEmail(source: string, { user, envelope }: SmtpSession): ReceivedEmail {
  const [head = ''] = source.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const header = (name: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      ?.slice(name.length + 1)
      .trim()
  const from = (envelope.mailFrom as { address?: string } | false) || {}
  return {
    from: from.address ?? '',
    to: envelope.rcptTo.map(({ address }) => address),
    header,
    source,
    user: typeof user === 'string' ? user : undefined,
  }
}

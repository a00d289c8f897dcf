import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import type { LeasedEmail } from '../../contract/account/email-delivery.ts'
import type { Env } from '../../provider/env.ts'
import { leaseEmails } from '../../provider/notifications/email-outbox.ts'
import { notifyAccount } from '../../provider/notifications/notify-account.ts'
import { sendWaitingMails } from '../../scripts/lib/mail-sender.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { parseSmtpUrl } from '../../scripts/lib/smtp-options.ts'
import { formatMessageId, openSmtp, type SmtpSender } from '../../scripts/lib/smtp.ts'
import { projectRoot } from '../support/ground.ts'
import { openTestDeployment, type TestDeployment } from '../support/harness.ts'
import { addAccount } from '../support/home.ts'
import { SAMPLE_FACTS } from '../support/email-samples.ts'
import { scaleTimeout } from '../support/machine.ts'
import { MailServer } from '../support/mail-server.ts'

const server = new MailServer()
let deployment: TestDeployment
let env: Env
let smtp: SmtpSender
beforeAll(async () => {
  await server.start()
  const url = `smtp://porchlight:${encodeURIComponent('secret of a test')}@127.0.0.1:${server.port}`
  deployment = await openTestDeployment({ change: () => ({ SMTP_URL: url }) })
  env = (await deployment.provider.getWorker().getEnv()) as Env
  smtp = openSmtp(url)
})
afterAll(async () => {
  smtp.close()
  await deployment.close()
  await server.stop()
})

let accountCount = 0
async function queueEmail(camera = 'Front door') {
  const name = `mailed${(accountCount += 1)}`
  const { userId } = await addAccount(env, name)
  const facts = { ...SAMPLE_FACTS.shared_camera, camera }
  const id = await notifyAccount(env, { userId, kind: 'shared_camera', key: 'one', facts, at: Date.now() })
  return { id: id ?? '', email: `${name}@example.com` }
}
const queueEmails = (userId: string, kind: 'bill' | 'new_sign_in', ids: readonly string[]) =>
  env.DB.prepare(
    `INSERT INTO messages (message_id, user_id, kind, key, at, title, text, facts, mail, next_at, until)
     SELECT value, ?1, ?2, value, ?4 + key, '', '', ?3, 'waiting', ?4 + key, ?4 + 3600000 FROM json_each(?5)`,
  )
    .bind(userId, kind, JSON.stringify(SAMPLE_FACTS[kind]), Date.now() - 60_000, JSON.stringify(ids))
    .run()
const readMessageRow = (id: string) =>
  env.DB.prepare('SELECT mail, tries, next_at, why FROM messages WHERE message_id = ?')
    .bind(id)
    .first<{ mail: string; tries: number; next_at: number | null; why: string }>()
const listArrivedEmails = (email: string) => server.receivedEmails.filter(({ to }) => to.includes(email))
const makeEmailsDue = () => env.DB.prepare("UPDATE messages SET next_at = 0 WHERE mail = 'waiting'").run()
const runMailRound = () => sendWaitingMails(deployment.env, smtp)

describe('mailer round', () => {
  test('sends each waiting email once to its one address, with text and HTML parts', async () => {
    const { id, email } = await queueEmail()
    expect(await runMailRound()).toMatchObject([{ message_id: id, outcome: 'sent' }])
    const [mail] = listArrivedEmails(email)
    expect(mail).toMatchObject({ from: 'mail@portal.example', to: [email], user: 'porchlight' })
    expect(mail?.header('Subject')).toBe('maya@example.com shared a camera with you')
    expect(mail?.header('From')).toBe('Porchlight <mail@portal.example>')
    expect(mail?.header('To')).toBe(email)
    expect(mail?.header('Reply-To')).toBe('support@portal.example')
    expect(mail?.header('Message-ID')).toBe(`<${id}@portal.example>`)
    expect(mail?.header('Auto-Submitted')).toBe('auto-generated')
    expect(mail?.header('List-Unsubscribe')).toMatch(/^<http:\/\/127\.0\.0\.1:\d+\/mail\/stop\?/)
    expect(mail?.source).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/)
    await makeEmailsDue()
    expect(await runMailRound()).toEqual([])
    expect(await readMessageRow(id)).toMatchObject({ mail: 'sent', tries: 1, next_at: null })
  })

  test('sends emails that a person waits for first, plus at least one other, each by age', async () => {
    const { userId } = await addAccount(env, 'queued')
    onTestFinished(async () => void (await env.DB.prepare('DELETE FROM messages WHERE user_id = ?').bind(userId).run()))
    const createTwelveIds = (name: string) => Array.from({ length: 12 }, (_, n) => `${name}_${n + 1}`)
    const [bills, signIns] = [createTwelveIds('bill'), createTwelveIds('sign_in')]
    await queueEmails(userId, 'bill', bills)
    const facts = { ...SAMPLE_FACTS.password_forgotten, until: Date.now() + 1_800_000 }
    const link = await notifyAccount(env, { userId, kind: 'password_forgotten', key: 'one', facts, at: Date.now() })
    const leaseBatch = async () => (await leaseEmails(env, Date.now())).map(({ message_id }) => message_id)
    expect(await leaseBatch()).toEqual([link, ...bills.slice(0, 9)])
    await queueEmails(userId, 'new_sign_in', signIns)
    expect(await leaseBatch()).toEqual([signIns[0], bills[9], ...signIns.slice(1, 9)])
    expect(await leaseBatch()).toEqual([signIns[9], bills[10], ...signIns.slice(10), bills[11]])
  })

  test('skips emails leased by another sender', async () => {
    const { email } = await queueEmail()
    const [first, second] = await Promise.all([runMailRound(), runMailRound()])
    expect([...first, ...second]).toHaveLength(1)
    expect(listArrivedEmails(email)).toHaveLength(1)
  })

  test('that ends before confirming an email causes a resend with the same id', async () => {
    const { id, email } = await queueEmail()
    const leased = (await callOperator(deployment.env, 'POST', `${ADMIN_PATHS.mails}/take`)) as {
      data: { mails: LeasedEmail[] }
    }
    for (const mail of leased.data.mails) await smtp.send(mail)
    expect(await runMailRound()).toEqual([])
    await makeEmailsDue()
    expect(await runMailRound()).toMatchObject([{ message_id: id, outcome: 'sent' }])
    expect(listArrivedEmails(email).map((mail) => mail.header('Message-ID'))).toEqual(
      Array(2).fill(`<${id}@portal.example>`),
    )
  })

  test('without a mail server loses no email, and retries with growing delays', async () => {
    const { id, email } = await queueEmail()
    await server.stop()
    const startedAt = Date.now()
    expect(await runMailRound()).toMatchObject([
      { outcome: 'failed', why: expect.stringMatching(/ECONNECTION|ESOCKET/) as string },
    ])
    const first = (await readMessageRow(id))?.next_at ?? 0
    expect(first).toBeGreaterThanOrEqual(startedAt + 2000)
    expect(first).toBeLessThanOrEqual(Date.now() + 2000)
    await makeEmailsDue()
    const restartedAt = Date.now()
    await runMailRound()
    expect((await readMessageRow(id))?.next_at).toBeGreaterThanOrEqual(restartedAt + 4000)
    await server.start()
    await makeEmailsDue()
    expect(await runMailRound()).toMatchObject([{ message_id: id, outcome: 'sent' }])
    expect(listArrivedEmails(email)).toHaveLength(1)
  })

  test.each([
    ['RCPT', 550, 'refused'],
    ['DATA', 554, 'refused'],
    ['RCPT', 450, 'failed'],
    ['DATA', 451, 'failed'],
  ] as const)('with the response %s %i reports the email as %s', async (at, code, outcome) => {
    const { id } = await queueEmail()
    server.rejection = { code, at }
    expect(await runMailRound()).toMatchObject([{ message_id: id, outcome }])
    server.rejection = null
    expect((await readMessageRow(id))?.mail).toBe(outcome === 'refused' ? 'refused' : 'waiting')
    await makeEmailsDue()
    expect(await runMailRound()).toHaveLength(outcome === 'refused' ? 0 : 1)
  })

  test('keeps text from other people within one header and one body', async () => {
    const { email } = await queueEmail('Door\r\nBcc: evil@example.com\r\n\r\n.\r\nRCPT TO:<evil@example.com>')
    await runMailRound()
    const [mail] = listArrivedEmails(email)
    expect(mail?.to).toEqual([email])
    expect(mail?.header('Bcc')).toBeUndefined()
    expect(server.receivedEmails.flatMap(({ to }) => to)).not.toContain('evil@example.com')
  })
})

test('only operators can lease emails', async () => {
  for (const path of ['take', 'done']) {
    const answer = await fetch(`${deployment.env.PROVIDER_ORIGIN}${ADMIN_PATHS.mails}/${path}`, { method: 'POST' })
    expect(answer.status).toBe(401)
  }
})

test('a password that the mail server rejects delays emails but refuses none', async () => {
  const { id } = await queueEmail()
  const wrong = openSmtp(`smtp://porchlight:wrong@127.0.0.1:${server.port}`)
  expect(await sendWaitingMails(deployment.env, wrong)).toMatchObject([
    { message_id: id, outcome: 'failed', why: 'EAUTH AUTH PLAIN 535' },
  ])
  await makeEmailsDue()
  expect(await runMailRound()).toMatchObject([{ message_id: id, outcome: 'sent' }])
})

describe('SMTP_URL', () => {
  test.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 25, secure: false, requireTLS: true }],
    ['smtp://me:a%40b@mail.example.com', { port: 587, requireTLS: true, auth: { user: 'me', pass: 'a@b' } }],
    ['smtps://me:x@mail.example.com', { port: 465, secure: true }],
    ['smtp://me:x@[::1]:2525', { host: '::1', port: 2525, requireTLS: false }],
  ])('%s', (address, expected) => {
    expect(parseSmtpUrl(address)).toMatchObject(expected)
  })

  test.each(['mail.example.com', 'http://mail.example.com', 'smtp:', ''])(
    '%j is rejected with a message',
    (address) => {
      expect(() => parseSmtpUrl(address)).toThrow('SMTP_URL must be the URL of a mail server')
    },
  )

  test('the id of an email is always the same', () => {
    expect(formatMessageId({ message_id: 'msg_1', from: 'mail@example.com' })).toBe('<msg_1@example.com>')
  })
})

describe('mailer process of npm start', () => {
  let child: ChildProcess | undefined
  afterAll(() => child?.kill('SIGTERM'))

  test('sends new emails until it is stopped', async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'mailer-'))
    const file = join(dataFolder, 'run.env')
    const lines = (['PROVIDER_ORIGIN', 'ADMIN_KEY', 'SMTP_URL'] as const).map(
      (name) => `${name}=${deployment.env[name]}`,
    )
    writeFileSync(file, lines.join('\n'))
    child = spawn(process.execPath, ['scripts/mailer.ts', '--env', file], { cwd: projectRoot, stdio: 'ignore' })
    const { id, email } = await queueEmail()
    await expect.poll(() => listArrivedEmails(email).length, { timeout: scaleTimeout(30_000) }).toBe(1)
    await expect.poll(async () => (await readMessageRow(id))?.mail).toBe('sent')
    const ended = new Promise((resolve) => child?.once('exit', resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    rmSync(dataFolder, { recursive: true, force: true })
  })
})

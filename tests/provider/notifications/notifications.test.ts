import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { NOTIFICATION_KINDS, getNotifications, markNotificationsSeen } from '../../../contract/account/notifications.ts'
import { shareCamera, revokeShare } from '../../../contract/cameras/owner-calls.ts'
import { notifyAccount, type NotificationRequest } from '../../../provider/notifications/notify-account.ts'
import { addAccount, openNeighborhood, type Account, type Neighborhood } from '../../support/home.ts'
import { SAMPLE_FACTS } from '../../support/email-samples.ts'
import { scaleTimeout } from '../../support/machine.ts'

interface MailApiRequest {
  readonly idempotencyKey: string
  readonly authorization: string
  readonly body: { to: string[]; subject: string; headers: Record<string, string> }
}

/** Requests that the fake mail API has received. The API responds with `mailApiStatus`. */
const mailRequests: MailApiRequest[] = []
let mailApiStatus = 200
let api: Server
let neighborhood: Neighborhood
beforeAll(async () => {
  api = createServer((req, res) => {
    void json(req).then((body) => {
      const { 'idempotency-key': key, authorization } = req.headers
      const entry = { idempotencyKey: String(key), authorization: String(authorization) }
      mailRequests.push({ ...entry, body: body as MailApiRequest['body'] })
      res.writeHead(mailApiStatus).end('{}')
    })
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const { port } = api.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/emails`
  neighborhood = await openNeighborhood({ change: () => ({ MAIL_API_URL: url, MAIL_API_KEY: 'key_of_a_test' }) })
})
afterAll(async () => {
  await neighborhood.close()
  api.close()
})

/** Default time of a notification. The provider sends no email for events older than seven days. */
const ONE_HOUR_AGO = Math.floor(Date.now() / 1000) * 1000 - 3_600_000
let readerCount = 0
const addReader = () => addAccount(neighborhood.bindings, `reader${(readerCount += 1)}`)
const buildBillNotification = ({ userId }: Account, key: string, at = ONE_HOUR_AGO): NotificationRequest => ({
  userId,
  kind: 'bill',
  key,
  at,
  facts: { ...SAMPLE_FACTS.bill, bill: key },
})
const listNotifications = async (account: Account) => (await neighborhood.call(account, getNotifications)).body.data
const listEmailsTo = (email: string) => mailRequests.filter(({ body }) => body.to.includes(email))
const readMessageRow = (messageId: string) =>
  neighborhood.bindings.DB.prepare('SELECT mail, tries, next_at, why FROM messages WHERE message_id = ?')
    .bind(messageId)
    .first<{ mail: string; tries: number; next_at: number | null; why: string }>()

describe('notifying an account', () => {
  test('lists a notification once with its one action, newest first, however often it is sent', async () => {
    const reader = await addReader()
    const first = await notifyAccount(neighborhood.bindings, buildBillNotification(reader, 'PL-1'))
    expect(first).toMatch(/^msg_[0-9a-f]{24}$/)
    expect(await notifyAccount(neighborhood.bindings, buildBillNotification(reader, 'PL-1'))).toBeNull()
    await notifyAccount(neighborhood.bindings, buildBillNotification(reader, 'PL-2', ONE_HOUR_AGO + 1))
    const again = await Promise.all(
      [1, 2, 3].map(() => notifyAccount(neighborhood.bindings, buildBillNotification(reader, 'PL-2'))),
    )
    expect(again).toEqual([null, null, null])
    expect(await listNotifications(reader)).toMatchObject({
      unseen: 2,
      messages: [
        { kind: 'bill', at: ONE_HOUR_AGO + 1, seen: false },
        {
          message_id: first,
          kind: 'bill',
          at: ONE_HOUR_AGO,
          seen: false,
          title: expect.stringMatching(/\$108\.24.* Unlimited Cameras/) as unknown,
          text: expect.stringMatching(
            /\$108\.24.* Unlimited Cameras.* Visa ·· 4242.* December 22, 2026.* PL-1/,
          ) as unknown,
          action: { path: '/account/billing/invoice?bill=PL-1' },
        },
      ],
    })
    await expect.poll(() => listEmailsTo('reader1@example.com').length).toBe(2)
  })

  test.each(NOTIFICATION_KINDS)('%s is stored as the contract defines it', async (kind) => {
    const reader = await addReader()
    await notifyAccount(neighborhood.bindings, {
      userId: reader.userId,
      kind,
      key: 'one',
      facts: SAMPLE_FACTS[kind],
      at: ONE_HOUR_AGO,
    } as NotificationRequest)
    expect(await listNotifications(reader)).toMatchObject({ unseen: 1, messages: [{ kind }] })
  })

  test('ignores an unknown account', async () => {
    expect(
      await notifyAccount(neighborhood.bindings, buildBillNotification({ userId: 'user_nobody', token: '' }, 'PL-1')),
    ).toBeNull()
  })

  test('ignores an invalid notification', async () => {
    const reader = await addReader()
    const wrong = {
      ...buildBillNotification(reader, 'PL-1'),
      facts: { ...SAMPLE_FACTS.bill, total: 0.5 },
    } as NotificationRequest
    expect(await notifyAccount(neighborhood.bindings, wrong)).toBeNull()
    expect((await listNotifications(reader)).messages).toEqual([])
  })

  test('lists at most a hundred notifications', async () => {
    const reader = await addReader()
    await neighborhood.bindings.DB.prepare(
      `INSERT INTO messages (message_id, user_id, kind, key, at, title, text, facts, mail, until)
       SELECT 'many_' || value, ?, 'bill', value, value, '', '', '{}', 'none', 0 FROM json_each(?)`,
    )
      .bind(reader.userId, JSON.stringify(Array.from({ length: 101 }, (_, n) => n + 1)))
      .run()
    const { messages, unseen } = await listNotifications(reader)
    expect([messages.length, unseen, messages[0].message_id]).toEqual([100, 100, 'many_101'])
  })
})

describe('marking notifications as seen', () => {
  test('affects only the account’s own notifications', async () => {
    const [reader, other] = [await addReader(), await addReader()]
    const mine = await notifyAccount(neighborhood.bindings, buildBillNotification(reader, 'PL-1'))
    await notifyAccount(neighborhood.bindings, buildBillNotification(reader, 'PL-2'))
    const theirs = await notifyAccount(neighborhood.bindings, buildBillNotification(other, 'PL-1'))
    const message_ids = [mine, theirs, 'msg_of_nobody']
    expect((await neighborhood.call(reader, markNotificationsSeen, { message_ids })).body.data).toEqual({ unseen: 1 })
    expect((await listNotifications(reader)).messages.filter(({ seen }: { seen: boolean }) => seen)).toHaveLength(1)
    expect((await listNotifications(other)).unseen).toBe(1)
  })
})

describe('the email API', () => {
  test('receives each email with its idempotency key, and no unsubscribe header in billing emails', async () => {
    const reader = await addReader()
    const id = await notifyAccount(neighborhood.bindings, buildBillNotification(reader, 'PL-9'))
    const email = `reader${readerCount}@example.com`
    await expect.poll(() => listEmailsTo(email).length).toBe(1)
    expect(listEmailsTo(email)).toMatchObject([
      {
        idempotencyKey: id,
        authorization: 'Bearer key_of_a_test',
        body: {
          from: '"Porchlight" <mail@portal.example>',
          to: [email],
          reply_to: 'support@portal.example',
          subject: expect.stringMatching(/December 22.*\$108\.24.* Unlimited Cameras/) as unknown,
          headers: { 'Auto-Submitted': 'auto-generated' },
        },
      },
    ])
    expect(listEmailsTo(email)[0]?.body.headers).not.toHaveProperty('List-Unsubscribe')
    await expect.poll(async () => (await readMessageRow(id ?? ''))?.mail).toBe('sent')
  })

  test('is retried with the same key until it accepts the email, and never after that', async () => {
    mailApiStatus = 503
    const reader = await addReader()
    const email = `reader${readerCount}@example.com`
    const startedAt = Date.now()
    const id = (await notifyAccount(neighborhood.bindings, buildBillNotification(reader, 'PL-1'))) ?? ''
    await expect.poll(async () => (await readMessageRow(id))?.why).toBe('answered 503')
    const { tries = 0, next_at } = (await readMessageRow(id)) ?? {}
    expect(next_at).toBeGreaterThanOrEqual(startedAt + 1000 * 2 ** tries)
    mailApiStatus = 200
    await expect.poll(async () => (await readMessageRow(id))?.mail, { timeout: scaleTimeout(20_000) }).toBe('sent')
    const attempts = listEmailsTo(email)
    expect(new Set(attempts.map(({ idempotencyKey: key }) => key))).toEqual(new Set([id]))
    expect(attempts.length).toBeGreaterThanOrEqual(2)
    await neighborhood.bindings.MAILERS.getByName('mails').wake(Date.now())
    await notifyAccount(neighborhood.bindings, buildBillNotification(await addReader(), 'PL-1'))
    await expect.poll(() => listEmailsTo(`reader${readerCount}@example.com`).length).toBe(1)
    expect(listEmailsTo(email)).toHaveLength(attempts.length)
  })

  test('is not retried after it rejects an email permanently', async () => {
    mailApiStatus = 422
    const reader = await addReader()
    const id = (await notifyAccount(neighborhood.bindings, buildBillNotification(reader, 'PL-1'))) ?? ''
    await expect.poll(async () => (await readMessageRow(id))?.mail).toBe('refused')
    mailApiStatus = 200
    expect(await readMessageRow(id)).toMatchObject({ tries: 1, next_at: null, why: 'answered 422' })
  })

  test('does not receive an email that is too old', async () => {
    const reader = await addReader()
    const at = Date.now() - 8 * 86_400_000
    const id = (await notifyAccount(neighborhood.bindings, buildBillNotification(reader, 'PL-1', at))) ?? ''
    await expect.poll(async () => (await readMessageRow(id))?.mail).toBe('late')
    expect(listEmailsTo(`reader${readerCount}@example.com`)).toEqual([])
  })
})

describe('a shared camera', () => {
  const share = (email: string) =>
    neighborhood.call(neighborhood.a, shareCamera, { device_id: 'porch_a', email, role: 2 })

  test('is announced to its guest once a day, by email until the guest unsubscribes', async () => {
    await neighborhood.a.bridge.register('porch_a')
    const guest = await addReader()
    const email = `reader${readerCount}@example.com`
    for (let n = 0; n < 2; n += 1) {
      expect((await share(email)).status).toBe(200)
      await neighborhood.call(neighborhood.a, revokeShare, { device_id: 'porch_a', email })
    }
    const { messages } = await listNotifications(guest)
    expect(messages).toMatchObject([{ kind: 'shared_camera', action: { path: '/live' } }])
    expect(messages[0].text).toMatch(/a@example\.com .*“/)
    await expect.poll(() => listEmailsTo(email).length).toBe(1)
    const headers = listEmailsTo(email)[0]?.body.headers ?? {}
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')

    const unsubscribeUrl = (headers['List-Unsubscribe'] ?? '').slice(1, -1)
    const page = await (await fetch(unsubscribeUrl)).text()
    expect(page).toContain('<form')
    const notifyGuest = (key: string, at = Date.now()) =>
      notifyAccount(neighborhood.bindings, {
        userId: guest.userId,
        kind: 'shared_camera',
        key,
        at,
        facts: SAMPLE_FACTS.shared_camera,
      })
    const readMailState = async (id: string | null) => (await readMessageRow(id ?? ''))?.mail
    expect(await readMailState(await notifyGuest('looked only', Date.now() - 2 * 3_600_000))).not.toBe('none')
    const ended = await fetch(unsubscribeUrl, { method: 'POST', body: 'List-Unsubscribe=One-Click' })
    expect(ended.status).toBe(200)
    expect(await readMailState(await notifyGuest('stopped'))).toBe('none')
    expect((await listNotifications(guest)).messages).toHaveLength(3)
    expect((await fetch(`${unsubscribeUrl}&resume=1`, { method: 'POST' })).status).toBe(200)
    expect(await readMailState(await notifyGuest('resumed'))).not.toBe('none')
    for (const forged of [
      unsubscribeUrl.replace('kind=shared_camera', 'kind=bill'),
      unsubscribeUrl.replace(guest.userId, 'user_a'),
    ])
      expect((await fetch(forged, { method: 'POST' })).status).toBe(404)
  })
})

test('cameras shared by strangers cause at most about two emails per hour; all are on the page', async () => {
  const guest = await addReader()
  const email = `reader${readerCount}@example.com`
  for (let n = 0; n < 4; n += 1)
    await notifyAccount(neighborhood.bindings, {
      userId: guest.userId,
      kind: 'shared_camera',
      key: `camera_${n}`,
      at: Date.now(),
      facts: SAMPLE_FACTS.shared_camera,
    })
  expect((await listNotifications(guest)).messages).toHaveLength(4)
  await expect.poll(() => listEmailsTo(email).length).toBe(2)
  // The outbox sends emails in order, so the email to `later` follows all emails to the guest.
  const later = await addReader()
  await notifyAccount(neighborhood.bindings, buildBillNotification(later, 'PL-9'))
  await expect.poll(() => listEmailsTo(`reader${readerCount}@example.com`).length).toBe(1)
  expect(listEmailsTo(email)).toHaveLength(2)
})

test('notifications are deleted with the account', async () => {
  const reader = await addReader()
  await notifyAccount(neighborhood.bindings, buildBillNotification(reader, 'PL-1'))
  const answer = await fetch(
    `${neighborhood.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}/reader${readerCount}@example.com`,
    {
      method: 'DELETE',
      headers: { authorization: `Admin ${neighborhood.stage.env.ADMIN_KEY}` },
    },
  )
  expect(answer.status).toBe(200)
  const left = await neighborhood.bindings.DB.prepare('SELECT count(*) AS n FROM messages WHERE user_id = ?')
    .bind(reader.userId)
    .first<number>('n')
  expect(left).toBe(0)
})

test('the local email outbox page is not served on a public hostname', async () => {
  const stays = await fetch(`${neighborhood.stage.env.PROVIDER_ORIGIN}/mail`)
  expect(stays.status).toBe(200)
  await neighborhood.stage.provider.restart({
    ...neighborhood.stage.env,
    PROVIDER_ORIGIN: 'https://cam-id.example.com',
  })
  for (const path of ['/mail', '/mail/msg_1', '/mail/msg_1/html'])
    expect((await fetch(neighborhood.stage.provider.origin + path)).status).toBe(404)
  await neighborhood.stage.provider.restart({ ...neighborhood.stage.env })
})

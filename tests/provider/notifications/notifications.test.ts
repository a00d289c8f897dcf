import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { MESSAGE_KINDS, getMessages, seeMessages } from '../../../contract/account/notifications.ts'
import { shareCamera, revokeShare } from '../../../contract/cameras/owner-calls.ts'
import { notifyAccount, type NotificationRequest } from '../../../provider/notifications/notify-account.ts'
import { addAccount, openNeighborhood, type Account, type Neighborhood } from '../../support/home.ts'
import { SAMPLE_FACTS } from '../../support/letters.ts'
import { scaled } from '../../support/machine.ts'

interface Posted {
  readonly key: string
  readonly by: string
  readonly body: { to: string[]; subject: string; headers: Record<string, string> }
}

/** Requests that the fake mail API has received. The API responds with `status`. */
const posted: Posted[] = []
let status = 200
let api: Server
let town: Neighborhood
beforeAll(async () => {
  api = createServer((req, res) => {
    void json(req).then((body) => {
      const key = String(req.headers['idempotency-key'])
      posted.push({ key, by: String(req.headers.authorization), body: body as Posted['body'] })
      res.writeHead(status).end('{}')
    })
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const { port } = api.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/emails`
  town = await openNeighborhood({ change: () => ({ MAIL_API_URL: url, MAIL_API_KEY: 'key_of_a_test' }) })
})
afterAll(async () => {
  await town.close()
  api.close()
})

/** One hour ago, because the provider still sends emails for events of the last seven days. */
const AT = Math.floor(Date.now() / 1000) * 1000 - 3_600_000
let count = 0
const somebody = () => addAccount(town.bindings, `reader${(count += 1)}`)
const billFor = ({ userId }: Account, key: string, at = AT): NotificationRequest => ({
  ...{ userId, kind: 'bill', key, at },
  facts: { ...SAMPLE_FACTS.bill, bill: key },
})
const listed = async (as: Account) => (await town.call(as, getMessages)).body.data
const sentTo = (email: string) => posted.filter(({ body }) => body.to.includes(email))
const readRow = (messageId: string) =>
  town.bindings.DB.prepare('SELECT mail, tries, next_at, why FROM messages WHERE message_id = ?')
    .bind(messageId)
    .first<{ mail: string; tries: number; next_at: number | null; why: string }>()

describe('notifying an account', () => {
  test('lists a notification once with its one action, newest first, however often it is sent', async () => {
    const reader = await somebody()
    const first = await notifyAccount(town.bindings, billFor(reader, 'PL-1'))
    expect(first).toMatch(/^msg_[0-9a-f]{24}$/)
    expect(await notifyAccount(town.bindings, billFor(reader, 'PL-1'))).toBeNull()
    await notifyAccount(town.bindings, billFor(reader, 'PL-2', AT + 1))
    const again = await Promise.all([1, 2, 3].map(() => notifyAccount(town.bindings, billFor(reader, 'PL-2'))))
    expect(again).toEqual([null, null, null])
    expect(await listed(reader)).toMatchObject({
      unseen: 2,
      messages: [
        { kind: 'bill', at: AT + 1, seen: false },
        {
          ...{ message_id: first, kind: 'bill', at: AT, seen: false },
          title: expect.stringMatching(/\$108\.24.* Unlimited Cameras/) as unknown,
          text: expect.stringMatching(
            /\$108\.24.* Unlimited Cameras.* Visa ·· 4242.* 22 December 2026.* PL-1/,
          ) as unknown,
          action: { path: '/account/billing/invoice?bill=PL-1' },
        },
      ],
    })
    await expect.poll(() => sentTo('reader1@example.com').length).toBe(2)
  })

  test.each(MESSAGE_KINDS)('%s is stored as the contract defines it', async (kind) => {
    const reader = await somebody()
    await notifyAccount(town.bindings, {
      userId: reader.userId,
      kind,
      key: 'one',
      facts: SAMPLE_FACTS[kind],
      at: AT,
    } as NotificationRequest)
    expect(await listed(reader)).toMatchObject({ unseen: 1, messages: [{ kind }] })
  })

  test('ignores an unknown account', async () => {
    expect(await notifyAccount(town.bindings, billFor({ userId: 'user_nobody', token: '' }, 'PL-1'))).toBeNull()
  })

  test('ignores an invalid notification', async () => {
    const reader = await somebody()
    const wrong = { ...billFor(reader, 'PL-1'), facts: { ...SAMPLE_FACTS.bill, total: 0.5 } } as NotificationRequest
    expect(await notifyAccount(town.bindings, wrong)).toBeNull()
    expect((await listed(reader)).messages).toEqual([])
  })

  test('lists at most a hundred notifications', async () => {
    const reader = await somebody()
    await town.bindings.DB.prepare(
      `INSERT INTO messages (message_id, user_id, kind, key, at, title, text, facts, mail, until)
       SELECT 'many_' || value, ?, 'bill', value, value, '', '', '{}', 'none', 0 FROM json_each(?)`,
    )
      .bind(reader.userId, JSON.stringify(Array.from({ length: 101 }, (_, n) => n + 1)))
      .run()
    const { messages, unseen } = await listed(reader)
    expect([messages.length, unseen, messages[0].message_id]).toEqual([100, 100, 'many_101'])
  })
})

describe('marking notifications as seen', () => {
  test('affects only the account’s own notifications', async () => {
    const [reader, other] = [await somebody(), await somebody()]
    const mine = await notifyAccount(town.bindings, billFor(reader, 'PL-1'))
    await notifyAccount(town.bindings, billFor(reader, 'PL-2'))
    const theirs = await notifyAccount(town.bindings, billFor(other, 'PL-1'))
    const message_ids = [mine, theirs, 'msg_of_nobody']
    expect((await town.call(reader, seeMessages, { message_ids })).body.data).toEqual({ unseen: 1 })
    expect((await listed(reader)).messages.filter(({ seen }: { seen: boolean }) => seen)).toHaveLength(1)
    expect((await listed(other)).unseen).toBe(1)
  })
})

describe('the email API', () => {
  test('receives each email with its idempotency key, and no unsubscribe header in billing emails', async () => {
    const reader = await somebody()
    const id = await notifyAccount(town.bindings, billFor(reader, 'PL-9'))
    const email = `reader${count}@example.com`
    await expect.poll(() => sentTo(email).length).toBe(1)
    expect(sentTo(email)).toMatchObject([
      {
        ...{ key: id, by: 'Bearer key_of_a_test' },
        body: {
          ...{ from: '"Porchlight" <mail@portal.example>', to: [email], reply_to: 'support@portal.example' },
          subject: expect.stringMatching(/22 December.*\$108\.24.* Unlimited Cameras/) as unknown,
          headers: { 'Auto-Submitted': 'auto-generated' },
        },
      },
    ])
    expect(sentTo(email)[0]?.body.headers).not.toHaveProperty('List-Unsubscribe')
    await expect.poll(async () => (await readRow(id ?? ''))?.mail).toBe('sent')
  })

  test('is retried with the same key until it accepts the email, and never after that', async () => {
    status = 503
    const reader = await somebody()
    const email = `reader${count}@example.com`
    const startedAt = Date.now()
    const id = (await notifyAccount(town.bindings, billFor(reader, 'PL-1'))) ?? ''
    await expect.poll(async () => (await readRow(id))?.why).toBe('answered 503')
    const { tries = 0, next_at } = (await readRow(id)) ?? {}
    expect(next_at).toBeGreaterThanOrEqual(startedAt + 1000 * 2 ** tries)
    status = 200
    await expect.poll(async () => (await readRow(id))?.mail, { timeout: scaled(20_000) }).toBe('sent')
    const attempts = sentTo(email)
    expect(new Set(attempts.map(({ key }) => key))).toEqual(new Set([id]))
    expect(attempts.length).toBeGreaterThanOrEqual(2)
    await town.bindings.MAILERS.getByName('mails').wake(Date.now())
    await notifyAccount(town.bindings, billFor(await somebody(), 'PL-1'))
    await expect.poll(() => sentTo(`reader${count}@example.com`).length).toBe(1)
    expect(sentTo(email)).toHaveLength(attempts.length)
  })

  test('is not retried after it rejects an email permanently', async () => {
    status = 422
    const reader = await somebody()
    const id = (await notifyAccount(town.bindings, billFor(reader, 'PL-1'))) ?? ''
    await expect.poll(async () => (await readRow(id))?.mail).toBe('refused')
    status = 200
    expect(await readRow(id)).toMatchObject({ tries: 1, next_at: null, why: 'answered 422' })
  })

  test('does not receive an email that is too old', async () => {
    const reader = await somebody()
    const at = Date.now() - 8 * 86_400_000
    const id = (await notifyAccount(town.bindings, billFor(reader, 'PL-1', at))) ?? ''
    await expect.poll(async () => (await readRow(id))?.mail).toBe('late')
    expect(sentTo(`reader${count}@example.com`)).toEqual([])
  })
})

describe('a shared camera', () => {
  const share = (email: string) => town.call(town.a, shareCamera, { device_id: 'porch_a', email, role: 2 })

  test('is announced to its guest once a day, by email until the guest unsubscribes', async () => {
    await town.a.bridge.register('porch_a')
    const guest = await somebody()
    const email = `reader${count}@example.com`
    for (let n = 0; n < 2; n += 1) {
      expect((await share(email)).status).toBe(200)
      await town.call(town.a, revokeShare, { device_id: 'porch_a', email })
    }
    const { messages } = await listed(guest)
    expect(messages).toMatchObject([{ kind: 'shared_camera', action: { path: '/live' } }])
    expect(messages[0].text).toMatch(/a@example\.com .*“/)
    await expect.poll(() => sentTo(email).length).toBe(1)
    const headers = sentTo(email)[0]?.body.headers ?? {}
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')

    const stop = (headers['List-Unsubscribe'] ?? '').slice(1, -1)
    const page = await (await fetch(stop)).text()
    expect(page).toContain('<form')
    const tell2 = (key: string, at = Date.now()) =>
      notifyAccount(town.bindings, {
        ...{ userId: guest.userId, kind: 'shared_camera', key, at },
        facts: SAMPLE_FACTS.shared_camera,
      })
    const readMailState = async (id: string | null) => (await readRow(id ?? ''))?.mail
    expect(await readMailState(await tell2('looked only', Date.now() - 2 * 3_600_000))).not.toBe('none')
    const ended = await fetch(stop, { method: 'POST', body: 'List-Unsubscribe=One-Click' })
    expect(ended.status).toBe(200)
    expect(await readMailState(await tell2('stopped'))).toBe('none')
    expect((await listed(guest)).messages).toHaveLength(3)
    expect((await fetch(`${stop}&resume=1`, { method: 'POST' })).status).toBe(200)
    expect(await readMailState(await tell2('resumed'))).not.toBe('none')
    for (const forged of [stop.replace('kind=shared_camera', 'kind=bill'), stop.replace(guest.userId, 'user_a')])
      expect((await fetch(forged, { method: 'POST' })).status).toBe(404)
  })
})

test('cameras shared by strangers cause at most about two emails per hour; all are on the page', async () => {
  const guest = await somebody()
  const email = `reader${count}@example.com`
  for (let n = 0; n < 4; n += 1)
    await notifyAccount(town.bindings, {
      ...{ userId: guest.userId, kind: 'shared_camera', key: `camera_${n}`, at: Date.now() },
      facts: SAMPLE_FACTS.shared_camera,
    })
  expect((await listed(guest)).messages).toHaveLength(4)
  await expect.poll(() => sentTo(email).length).toBe(2)
  // The outbox sends emails in order, so this one follows all others.
  const later = await somebody()
  await notifyAccount(town.bindings, billFor(later, 'PL-9'))
  await expect.poll(() => sentTo(`reader${count}@example.com`).length).toBe(1)
  expect(sentTo(email)).toHaveLength(2)
})

test('notifications are deleted with the account', async () => {
  const reader = await somebody()
  await notifyAccount(town.bindings, billFor(reader, 'PL-1'))
  const answer = await fetch(`${town.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}/reader${count}@example.com`, {
    method: 'DELETE',
    headers: { authorization: `Admin ${town.stage.env.ADMIN_KEY}` },
  })
  expect(answer.status).toBe(200)
  const left = await town.bindings.DB.prepare('SELECT count(*) AS n FROM messages WHERE user_id = ?')
    .bind(reader.userId)
    .first<number>('n')
  expect(left).toBe(0)
})

test('the local email outbox page is not served on a public host name', async () => {
  const stays = await fetch(`${town.stage.env.PROVIDER_ORIGIN}/mail`)
  expect(stays.status).toBe(200)
  await town.stage.provider.restart({ ...town.stage.env, PROVIDER_ORIGIN: 'https://cam-id.example.com' })
  for (const path of ['/mail', '/mail/msg_1', '/mail/msg_1/html'])
    expect((await fetch(town.stage.provider.origin + path)).status).toBe(404)
  await town.stage.provider.restart({ ...town.stage.env })
})

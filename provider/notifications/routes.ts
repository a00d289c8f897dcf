import type { Hono } from 'hono'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { doneMails } from '../../contract/account/email-delivery.ts'
import { getMessages, seeMessages } from '../../contract/account/notifications.ts'
import { requireOperator } from '../platform/auth/require-operator.ts'
import { badRequest } from '../platform/api-error.ts'
import type { AppEnv } from '../env.ts'
import { readInput } from '../platform/http/read-call-input.ts'
import { serveCall } from '../platform/http/serve-call.ts'
import { mailWay } from './email/email-transport.ts'
import { settleMails, leaseMails } from './email-outbox.ts'
import { listNotifications, see, countUnseen } from './notification-rows.ts'

/** Mounts the notification calls of an account, and the lease calls of the SMTP process of `npm start`. */
export function messageRoutes(app: Hono<AppEnv>): void {
  serveCall(app, getMessages, async ({ env, account: { userId } }) => {
    const messages = await listNotifications(env.DB, userId)
    return { messages, unseen: messages.filter(({ seen }) => !seen).length }
  })
  serveCall(app, seeMessages, async ({ env, account: { userId }, input }) => {
    await see(env.DB, userId, input.message_ids)
    return { unseen: await countUnseen(env.DB, userId) }
  })

  app.post(`${ADMIN_PATHS.mails}/take`, requireOperator, async (c) => {
    const mails = mailWay(c.env) === 'smtp' ? await leaseMails(c.env, Date.now()) : []
    return c.json({ code: 200, data: { mails } })
  })
  app.post(`${ADMIN_PATHS.mails}/done`, requireOperator, async (c) => {
    const done = v.safeParse(doneMails, (await readInput(c)).payload)
    if (!done.success) throw badRequest('The outcomes are malformed.')
    await settleMails(c.env.DB, done.output.outcomes, Date.now())
    return c.json({ code: 200 })
  })
}

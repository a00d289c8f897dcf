import type { Hono } from 'hono'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { emailOutcomesRequest } from '../../contract/account/email-delivery.ts'
import { getNotifications, markNotificationsSeen } from '../../contract/account/notifications.ts'
import { requireOperator } from '../platform/auth/require-operator.ts'
import { badRequest } from '../platform/api-error.ts'
import type { AppEnv } from '../env.ts'
import { readCallInput } from '../platform/http/read-call-input.ts'
import { serveCall } from '../platform/http/serve-call.ts'
import { getEmailTransportKind } from './email/email-transport.ts'
import { storeDeliveryOutcomes, leaseEmails } from './email-outbox.ts'
import { listNotifications, markAsSeen, countUnseenNotifications } from './notification-rows.ts'

/**
 * Mounts the notification calls for accounts, and the operator calls with which the mailer process of `npm start`
 * leases emails and reports the results of delivery attempts.
 */
export function messageRoutes(app: Hono<AppEnv>): void {
  serveCall(app, getNotifications, async ({ env, account: { userId } }) => {
    const messages = await listNotifications(env.DB, userId)
    return { messages, unseen: messages.filter(({ seen }) => !seen).length }
  })
  serveCall(app, markNotificationsSeen, async ({ env, account: { userId }, input }) => {
    await markAsSeen(env.DB, userId, input.message_ids)
    return { unseen: await countUnseenNotifications(env.DB, userId) }
  })

  app.post(`${ADMIN_PATHS.mails}/take`, requireOperator, async (c) => {
    const mails = getEmailTransportKind(c.env) === 'smtp' ? await leaseEmails(c.env, Date.now()) : []
    return c.json({ code: 200, data: { mails } })
  })
  app.post(`${ADMIN_PATHS.mails}/done`, requireOperator, async (c) => {
    const done = v.safeParse(emailOutcomesRequest, (await readCallInput(c)).payload)
    if (!done.success) throw badRequest('The results are malformed.')
    await storeDeliveryOutcomes(c.env.DB, done.output.outcomes, Date.now())
    return c.json({ code: 200 })
  })
}

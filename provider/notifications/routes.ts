import type { Hono } from 'hono'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { doneMails } from '../../contract/account/email-delivery.ts'
import { getMessages, seeMessages } from '../../contract/account/notifications.ts'
import { mustBeOperator } from '../platform/auth/require-operator.ts'
import { malformed } from '../platform/api-error.ts'
import type { AppEnv } from '../env.ts'
import { readInput } from '../platform/http/read-call-input.ts'
import { serve } from '../platform/http/serve-call.ts'
import { mailWay } from './email/email-transport.ts'
import { settleMails, takeMails } from './email-outbox.ts'
import { messagesOf, see, unseenOf } from './notification-rows.ts'

/** Mounts the messages of an account, and what the part of `npm start` asks that sends mails over SMTP. */
export function messageRoutes(app: Hono<AppEnv>): void {
  serve(app, getMessages, async ({ env, account: { userId } }) => {
    const messages = await messagesOf(env.DB, userId)
    return { messages, unseen: messages.filter(({ seen }) => !seen).length }
  })
  serve(app, seeMessages, async ({ env, account: { userId }, input }) => {
    await see(env.DB, userId, input.message_ids)
    return { unseen: await unseenOf(env.DB, userId) }
  })

  app.post(`${ADMIN_PATHS.mails}/take`, mustBeOperator, async (c) => {
    const mails = mailWay(c.env) === 'smtp' ? await takeMails(c.env, Date.now()) : []
    return c.json({ code: 200, data: { mails } })
  })
  app.post(`${ADMIN_PATHS.mails}/done`, mustBeOperator, async (c) => {
    const done = v.safeParse(doneMails, (await readInput(c)).payload)
    if (!done.success) throw malformed('The outcomes are malformed.')
    await settleMails(c.env.DB, done.output.outcomes, Date.now())
    return c.json({ code: 200 })
  })
}

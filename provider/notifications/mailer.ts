import { DurableObject } from 'cloudflare:workers'
import { EMAIL_SEND_START_MS } from '../../contract/account/email-delivery.ts'
import type { Env } from '../env.ts'
import { createTransport } from './email/email-transport.ts'
import { getNextEmailDueAt, storeDeliveryOutcomes, leaseEmails } from './email-outbox.ts'

const MIN_ALARM_DELAY_MS = 100

/**
 * Sends waiting emails to the mail API, one at a time. Only one `Mailer` object exists. The emails wait in D1, not in
 * this object.
 */
export class Mailer extends DurableObject<Env> {
  async wake(now: number): Promise<void> {
    await this.#scheduleAlarm(now + MIN_ALARM_DELAY_MS)
  }

  async #scheduleAlarm(at: number): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm()
    if (alarm === null || alarm > at) await this.ctx.storage.setAlarm(at)
  }

  async alarm(): Promise<void> {
    const { env } = this
    const transport = createTransport(env, (input, init) => fetch(input, init))
    if (transport === null) return
    try {
      const startedAt = Date.now()
      for (const mail of await leaseEmails(env, startedAt)) {
        if (Date.now() - startedAt > EMAIL_SEND_START_MS) break
        const result = await transport.send(mail)
        await storeDeliveryOutcomes(env.DB, [{ message_id: mail.message_id, ...result }], Date.now())
      }
    } finally {
      const next = await getNextEmailDueAt(env.DB)
      if (next !== null) await this.#scheduleAlarm(Math.max(next, Date.now() + MIN_ALARM_DELAY_MS))
    }
  }
}

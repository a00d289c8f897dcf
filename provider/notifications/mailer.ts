import { DurableObject } from 'cloudflare:workers'
import { SENDING_MS } from '../../contract/account/email-delivery.ts'
import type { Env } from '../env.ts'
import { createTransport } from './email/email-transport.ts'
import { nextMail, settleMails, leaseMails } from './email-outbox.ts'

/** Minimum delay of an alarm. */
const SOONEST_MS = 100

/** Sends waiting emails to the mail API, one after the other. A single object without storage: emails wait in D1. */
export class Mailer extends DurableObject<Env> {
  async wake(now: number): Promise<void> {
    await this.#wakeAt(now + SOONEST_MS)
  }

  async #wakeAt(at: number): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm()
    if (alarm === null || alarm > at) await this.ctx.storage.setAlarm(at)
  }

  async alarm(): Promise<void> {
    const { env } = this
    const transport = createTransport(env, (input, init) => fetch(input, init))
    if (transport === null) return
    try {
      const startedAt = Date.now()
      for (const mail of await leaseMails(env, startedAt)) {
        if (Date.now() - startedAt > SENDING_MS) break
        const result = await transport.send(mail)
        await settleMails(env.DB, [{ message_id: mail.message_id, ...result }], Date.now())
      }
    } finally {
      const next = await nextMail(env.DB)
      if (next !== null) await this.#wakeAt(Math.max(next, Date.now() + SOONEST_MS))
    }
  }
}

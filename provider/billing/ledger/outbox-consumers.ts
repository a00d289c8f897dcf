import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { homeStub } from '../../homes/members/home-stub.ts'
import type { Env } from '../../env.ts'
import { changeAccess, selectAccountsOfOwner } from '../../platform/auth/change-access.ts'
import { notifyAccount, type NotificationRequest } from '../../notifications/notify-account.ts'
import type { OutboxEntry } from './outbox.ts'
import type { SqlStatement } from './projection.ts'

export interface OutboxConsumers {
  /** Writes all statements to D1, or none. */
  write(statements: readonly SqlStatement[]): Promise<void>
  /** Notifies the account. Idempotent: a repeated message has no effect. */
  notify(messages: readonly NotificationPayload[]): Promise<void>
  /** Makes open pages of the account's homes reload their license assignments. */
  notifyHomes(): Promise<void>
}

/** Content of a notification (contract/account/notifications.ts). */
export type NotificationPayload = Pick<Extract<OutboxEntry, { kind: 'message' }>, 'what' | 'key' | 'at' | 'facts'>

export const createOutboxConsumers = (env: Env, account: string): OutboxConsumers => ({
  async write(statements) {
    if (statements.length === 0) return
    const prepared = statements.map(({ sql, values }) => env.DB.prepare(sql).bind(...values))
    await changeAccess(env, selectAccountsOfOwner(env, account), () => env.DB.batch(prepared))
  },
  async notify(messages) {
    for (const { what: kind, key, at, facts } of messages)
      // The receiver validates `facts` by the schema of the notification's kind.
      await notifyAccount(env, { userId: account, kind, key, at, facts } as unknown as NotificationRequest)
  },
  async notifyHomes() {
    const { results } = await env.DB.prepare(
      `SELECT home_id FROM home_members WHERE user_id = ? AND role = ${OWNER_ROLE}`,
    )
      .bind(account)
      .all<{ home_id: string }>()
    await Promise.all(results.map(({ home_id }) => homeStub(env, home_id).notifyPlanChange()))
  },
})

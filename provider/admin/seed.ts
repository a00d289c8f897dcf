import { DEMO_ACCOUNTS, DEMO_HOMES, DEMO_PASSWORD } from '../../contract/admin.ts'
import { addSubscription } from '../billing/records.ts'
import type { Env } from '../env.ts'
import { planDemoShares } from '../access/demo-shares.ts'
import { createHome } from '../access/homes.ts'
import { accountByEmail, ensureAccount } from '../access/accounts.ts'
import { hashPassword } from '../identity/passwords.ts'

const YEAR_MS = 365 * 86_400_000

/** Creates the demo accounts, homes and subscriptions that are missing; what is there stays as it is. */
export async function seed(env: Env, now: number): Promise<void> {
  // One for all: they have one password, which everybody knows.
  let passwordHash: string | undefined
  for (const { email, label, home, sku } of DEMO_ACCOUNTS) {
    const known = await accountByEmail(env.DB, email)
    const add = async () => {
      passwordHash ??= await hashPassword(DEMO_PASSWORD)
      return await ensureAccount(env.DB, { email, passwordHash, demo: true }, now)
    }
    const userId = known?.userId ?? (await add())
    if (home !== null)
      await createHome(env, { homeId: home, name: `${label} home`, ownerUserId: userId, demo: true }, now)
    else if (!known) await planDemoShares(env, DEMO_HOMES.owner, userId, now)
    if (sku !== null) {
      await addSubscription(
        env.DB,
        userId,
        {
          subscription_id: `sub_demo_${userId}`,
          sku,
          status: 'active',
          quantity: 1,
          period: 'annual',
          billing_provider: 'card',
          renews_at: now + YEAR_MS,
        },
        now,
      )
    }
  }
}

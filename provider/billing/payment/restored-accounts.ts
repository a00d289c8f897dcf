import type { Env } from '../../env.ts'

/**
 * Account of a restored backup that isn't reconciled yet. Its ledger, or its customer at Stripe, may be newer than the
 * backup, and then be missing here.
 */
export interface RestoredAccount {
  /** Payment gateway of the backup: `stripe` or `embedded`; '' if there was none. */
  readonly gateway: string
}

type DatabaseEnv = Pick<Env, 'DB'>

/** Returns null if the account was created after the restore, if it is reconciled, or if there was no restore. */
export async function findRestoredAccount({ DB }: DatabaseEnv, account: string): Promise<RestoredAccount | null> {
  return await DB.prepare('SELECT gateway FROM restored_accounts WHERE user_id = ?')
    .bind(account)
    .first<RestoredAccount>()
}

export async function deleteRestoredAccount({ DB }: DatabaseEnv, account: string): Promise<void> {
  await DB.prepare('DELETE FROM restored_accounts WHERE user_id = ?').bind(account).run()
}

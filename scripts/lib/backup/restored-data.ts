import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeSecrets, type Secrets } from '../secrets.ts'
import { hasTable } from './snapshot.ts'

const PROVIDER_STATE = 'state/provider/v3'

/**
 * D1 tables whose rows let someone sign in or continue: a restore must not bring back what was ended or used up after
 * the backup. `invitation_links` stay, because the account that used one is gone again.
 */
const CREDENTIAL_TABLES = ['oidc', 'password_links', 'bridge_codes', 'stripe_sessions', 'collector_sessions']

/** Secrets that a restore keeps: FACTOR_KEY decrypts stored second factors, TICKET_KEY verifies links in sent emails. */
const RETAINED_SECRETS: readonly string[] = ['FACTOR_KEY', 'FACTOR_KEY_OLD', 'TICKET_KEY']

/**
 * Changes restored data so that no one is signed in and no ledger acts: deletes sessions, tokens, links and card pages,
 * marks waiting emails as not sent, and puts all ledgers on hold until `npm run reconcile`. `lastGateway`:
 * `BILLING_GATEWAY` before the backup. Returns the gateway of the backup: `stripe` if the data are from Stripe.
 */
export function secureRestoredData(folder: string, lastGateway: string): string {
  let gateway = lastGateway
  forEachDatabase(join(folder, PROVIDER_STATE, 'd1/miniflare-D1DatabaseObject'), (database) => {
    for (const table of CREDENTIAL_TABLES) if (hasTable(database, table)) database.exec(`DELETE FROM ${table}`)
    if (hasTable(database, 'messages')) database.exec(STOP_EMAILS_SQL)
    if (hasStripeRows(database)) gateway = 'stripe'
    if (hasTable(database, 'accounts')) listRestoredAccounts(database, gateway)
  })
  forEachDatabase(join(folder, PROVIDER_STATE, 'do/porchlight-provider-EmbeddedGateway'), (database) => {
    if (hasTable(database, 'card_sessions')) database.exec(DELETE_CARD_SESSIONS_SQL)
  })
  forEachDatabase(join(folder, PROVIDER_STATE, 'do/porchlight-provider-Ledger'), (database) => {
    if (hasTable(database, 'counters')) database.exec(HOLD_SQL)
  })
  return gateway
}

const hasStripeRows = (database: DatabaseSync): boolean =>
  ['stripe_customers', 'stripe_events'].some(
    (table) => hasTable(database, table) && database.prepare(`SELECT 1 FROM ${table}`).get() !== undefined,
  )

/**
 * Lists all accounts in the table that puts missing ledgers on hold. Creates the table, because the backup can be older
 * than its migration.
 */
function listRestoredAccounts(database: DatabaseSync, gateway: string): void {
  database.exec('CREATE TABLE IF NOT EXISTS restored_accounts (user_id TEXT PRIMARY KEY, gateway TEXT NOT NULL)')
  database.prepare('INSERT OR IGNORE INTO restored_accounts SELECT user_id, ? FROM accounts').run(gateway)
}

/** Emails that waited during the backup were probably sent after it. The notification stays in the portal. */
const STOP_EMAILS_SQL = `UPDATE messages SET mail = 'late', next_at = NULL, why = 'restored from a backup'
  WHERE mail = 'waiting'`
const DELETE_CARD_SESSIONS_SQL = `DELETE FROM methods WHERE token IN
    (SELECT token FROM card_sessions WHERE state <> 'kept' AND token IS NOT NULL);
  DELETE FROM card_sessions`
/** Ledgers of deleted accounts never charge, and `npm run reconcile` doesn't list them. */
const HOLD_SQL = `INSERT INTO counters (name, value)
  SELECT 'held', 1 WHERE NOT EXISTS (SELECT 1 FROM counters WHERE name = 'ended' AND value > 0)
  ON CONFLICT DO UPDATE SET value = 1`

/** Returns the secrets of a restored folder: new keys, except those without which restored data is unreadable. */
export const renewSecrets = (restored: Partial<Record<string, string>>): Secrets =>
  makeSecrets(Object.fromEntries(Object.entries(restored).filter(([name]) => RETAINED_SECRETS.includes(name))))

function forEachDatabase(folder: string, work: (database: DatabaseSync) => void): void {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sqlite')) : []
  for (const name of names) {
    const database = new DatabaseSync(join(folder, name))
    try {
      work(database)
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      database.close()
    }
  }
}

/** Returns the files in `folder/state` that SQLite's integrity check rejects. */
export function findBrokenDatabases(folder: string): string[] {
  return readdirSync(join(folder, 'state'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sqlite') && !isIntact(join(folder, 'state', name)))
    .map((name) => `state/${name}`)
}

function isIntact(path: string): boolean {
  try {
    const database = new DatabaseSync(path)
    const [result] = database.prepare('PRAGMA integrity_check(1)').all()
    database.close()
    return result?.['integrity_check'] === 'ok'
  } catch {
    return false
  }
}

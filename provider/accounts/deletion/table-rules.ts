/**
 * Deletion rules for all stored data of an account: every table of D1, every class of Durable Objects with its tables,
 * and every prefix of R2. `tests/provider/accounts/deletion/table-rules.test.ts` finds stored data without a rule.
 */

/**
 * Parameters of the D1 statements: the account's id and email, and JSON lists of ids that belong only to this account.
 */
export interface DeletionScope {
  readonly user: string
  readonly email: string
  readonly homes: string
  readonly cameras: string
  readonly bridges: string
  /** JSON list of the account's visitor hashes, the keys of `revenue_visits`. */
  readonly persons: string
}
type ScopeParameter = keyof DeletionScope

/** Deletion rule of a D1 table: statements with `$name` parameters, or the reason to leave the table unchanged. */
type TableRule = { readonly goes: readonly string[] } | { readonly stays: string }

const createInClause = (name: ScopeParameter) => `IN (SELECT value FROM json_each($${name}))`
const createDeletionRule = (...statements: string[]) => ({ goes: statements })

/**
 * Tables of D1 in deletion order, referencing rows first, in one batch. The row of `accounts` is deleted separately at
 * the end: it lets an interrupted deletion restart.
 */
export const D1_RULES: Readonly<Record<string, TableRule>> = {
  bindings: createDeletionRule(`DELETE FROM bindings WHERE device_id ${createInClause('cameras')}
    OR subscription_id IN (SELECT subscription_id FROM subscriptions WHERE user_id = $user)`),
  subscriptions: createDeletionRule('DELETE FROM subscriptions WHERE user_id = $user'),
  recovery_codes: createDeletionRule('DELETE FROM recovery_codes WHERE user_id = $user'),
  second_factors: createDeletionRule('DELETE FROM second_factors WHERE user_id = $user'),
  passkeys: createDeletionRule('DELETE FROM passkeys WHERE user_id = $user'),
  oidc: createDeletionRule(`DELETE FROM oidc WHERE account_id = $user
    OR (model = 'Interaction' AND json_extract(payload, '$.result.login.accountId') = $user)`),
  account_settings: createDeletionRule('DELETE FROM account_settings WHERE user_id = $user'),
  search_accounts: createDeletionRule('DELETE FROM search_accounts WHERE user_id = $user'),
  search_history: createDeletionRule('DELETE FROM search_history WHERE user_id = $user'),
  search_feedback: createDeletionRule('DELETE FROM search_feedback WHERE user_id = $user'),
  // Notifications to accounts with which this account shared a camera contain its email address.
  messages: createDeletionRule(
    'DELETE FROM messages WHERE user_id = $user',
    `DELETE FROM messages WHERE kind IN ('shared_camera', 'camera_invitation')
     AND json_extract(facts, '$.owner') = $email`,
    'DELETE FROM messages WHERE user_id IN (SELECT user_id FROM invitation_links WHERE email = $email)',
  ),
  mail_stops: createDeletionRule('DELETE FROM mail_stops WHERE user_id = $user'),
  sign_ups: createDeletionRule('DELETE FROM sign_ups WHERE email = $email'),
  invitation_links: createDeletionRule('DELETE FROM invitation_links WHERE email = $email OR from_user = $user'),
  password_links: createDeletionRule('DELETE FROM password_links WHERE user_id = $user'),
  // Coupons list their accounts by email. An empty list allows no account, but null would allow all accounts.
  coupons:
    createDeletionRule(`UPDATE coupons SET emails = (SELECT json_group_array(value) FROM json_each(emails) WHERE value <> $email)
    WHERE emails IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(emails) WHERE value = $email)`),
  // Keeps a used coupon counted, without the account's id. Otherwise, an additional account could use its code.
  coupon_holds: createDeletionRule(
    "DELETE FROM coupon_holds WHERE user_id = $user AND state = 'held'",
    "UPDATE coupon_holds SET user_id = 'gone_' || lower(hex(randomblob(12))), intent = '' WHERE user_id = $user",
  ),
  restored_accounts: createDeletionRule('DELETE FROM restored_accounts WHERE user_id = $user'),
  stripe_sessions: createDeletionRule('DELETE FROM stripe_sessions WHERE user_id = $user'),
  stripe_customers: {
    stays: 'stored under the random account ID, like the ledger; needed for outstanding refunds and erasures',
  },
  stripe_events: { stays: 'contains no personal data' },
  shares: createDeletionRule(`DELETE FROM shares WHERE user_id = $user OR home_id ${createInClause('homes')}`),
  demo_shares: createDeletionRule(
    `DELETE FROM demo_shares WHERE user_id = $user OR home_id ${createInClause('homes')}`,
  ),
  invitations: createDeletionRule(`DELETE FROM invitations WHERE email = $email OR home_id ${createInClause('homes')}`),
  removed_devices: createDeletionRule(`DELETE FROM removed_devices WHERE bridge_id ${createInClause('bridges')}`),
  bridge_codes: createDeletionRule(`DELETE FROM bridge_codes WHERE home_id ${createInClause('homes')}`),
  devices: createDeletionRule(`DELETE FROM devices WHERE home_id ${createInClause('homes')}`),
  bridge_homes: createDeletionRule(`DELETE FROM bridge_homes WHERE home_id ${createInClause('homes')}`),
  // Keeps the row, which marks the bridge as removed. Otherwise, the key on the bridge's computer could enroll the
  // bridge in another home.
  bridges: createDeletionRule(
    `UPDATE bridges SET key_hash = '', name = '', revoked_at = coalesce(revoked_at, created_at), revoked_home = NULL
     WHERE bridge_id ${createInClause('bridges')}`,
  ),
  home_members: createDeletionRule(
    `DELETE FROM home_members WHERE user_id = $user OR home_id ${createInClause('homes')}`,
  ),
  homes: createDeletionRule(`DELETE FROM homes WHERE home_id ${createInClause('homes')}`),
  // Removes reports that still contain an id or email, because masking missed it.
  error_reports: createDeletionRule(
    'DELETE FROM error_reports WHERE instr(report, $user) > 0 OR instr(report, $email) > 0',
  ),
  insights_objects: { stays: 'contains only names of objects, no personal data' },
  error_days: { stays: 'contains only counts, no personal data' },
  revenue_visits: createDeletionRule(`DELETE FROM revenue_visits WHERE person ${createInClause('persons')}`),
  collector_sessions: { stays: 'expires after 24 hours and does not identify an account' },
  accounts: { stays: 'deleted last, after all other data' },
}

/** Returns the statement with `?` in place of each `$name`, and the values in the same order. */
export function fillParameters(
  sql: string,
  scope: DeletionScope,
): { readonly sql: string; readonly values: readonly string[] } {
  const values: string[] = []
  const text = sql.replace(/\$(user|email|homes|cameras|bridges|persons)\b/g, (_, name: ScopeParameter) => {
    values.push(scope[name])
    return '?'
  })
  return { sql: text, values }
}

/**
 * Deletion rule of a class of Durable Objects. `whole`: deletes the account's object, and the account's rows in other
 * objects. `kept`: keeps the object, but deletes personal data in it. `itself`: the object expires automatically.
 */
interface ObjectRule {
  readonly what: 'whole' | 'kept' | 'itself'
  /**
   * Tables that lose the account's rows in objects of other accounts. For `kept`: tables of the kept object that lose
   * personal data.
   */
  readonly clearedTables: readonly string[]
  /** Tables that stay unchanged in objects that are not deleted. */
  readonly unchangedTables: readonly string[]
}

/**
 * Deletion rules by class. Tables of the runtime and of `provider/platform/migrate-schema.ts` are omitted, because they
 * hold no personal data.
 */
export const OBJECT_RULES: Readonly<Record<string, ObjectRule>> = {
  Home: {
    what: 'whole',
    clearedTables: [
      'members',
      'shares',
      'followers',
      'signed_out',
      'feedback',
      'feedback_videos',
      'exports',
      'search_votes',
    ],
    unchangedTables: [
      'devices',
      'events',
      'used_tickets',
      'camera_state_runs',
      'camera_gaps',
      'keeping',
      'doomed_batches',
      'upload_batches',
      'retention_log',
      'clip_storage',
      'camera_storage',
      'event_days',
      'counted_days',
      'self',
      'search_index',
      'recognition',
      'people',
      'people_faces',
      'different_people',
    ],
  },
  Camera: { what: 'whole', clearedTables: ['signed_out'], unchangedTables: ['state', 'used_tickets'] },
  Bridge: { what: 'whole', clearedTables: [], unchangedTables: ['cameras', 'self', 'watched'] },
  ActivityLog: { what: 'whole', clearedTables: ['entries'], unchangedTables: [] },
  Guard: { what: 'whole', clearedTables: [], unchangedTables: ['used_nonces', 'attempts'] },
  Ledger: {
    what: 'kept',
    clearedTables: ['records', 'images'],
    unchangedTables: ['entries', 'postings', 'outbox', 'counters', 'self'],
  },
  EmbeddedGateway: {
    what: 'kept',
    clearedTables: ['card_sessions', 'methods'],
    unchangedTables: ['charges', 'refunds'],
  },
  Mailer: { what: 'itself', clearedTables: [], unchangedTables: [] },
  AccountLeave: { what: 'whole', clearedTables: [], unchangedTables: ['self', 'things'] },
  Insights: { what: 'kept', clearedTables: ['events'], unchangedTables: ['self'] },
}

/**
 * Durable Objects of the portal, which the provider cannot find by account id. A session ends at most
 * `SESSION_IDLE_TIMEOUT_S` after its last use. A session list deletes an entry at most `SESSION_LIFETIME_S` after the
 * end of its session.
 */
export const PORTAL_RULES: Readonly<Record<string, ObjectRule>> = {
  Session: { what: 'itself', clearedTables: [], unchangedTables: [] },
  SessionList: { what: 'itself', clearedTables: [], unchangedTables: [] },
}

/**
 * Returns the names of the guards that belong only to the account. Guards whose names also contain a network or browser
 * expire within a day.
 */
export const listGuardNames = (userId: string, email: string): readonly string[] => [
  userId,
  `passkey of ${userId}`,
  `leave at ${userId}`,
  `leave of ${userId}`,
  `coupon:${userId}`,
  `factor:${userId}`,
  `email:${email}`,
]

/**
 * Owners of the R2 prefixes. Objects of a home are deleted with the home; demo objects stay, because all demo homes
 * share them.
 */
export const R2_RULES: Readonly<Record<string, 'home' | 'nobody'>> = { 'h/': 'home', 'demo/': 'nobody' }
